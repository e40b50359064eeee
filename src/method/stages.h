/* A scheme is a list of stages. The loop that runs them takes their times, so a stage does its own work only. */
#ifndef FR_METHOD_STAGES_H
#define FR_METHOD_STAGES_H

#include "method/timing.h"

/* A list ends with an empty row. */
typedef struct stage {
    const char *name;                 /* its time is counted under this name; several stages may share one */
    fr_result (*run)(void *step);
    const struct stage *parts;        /* instead of name and run: a list that several schemes share */
} stage;

/* Runs the stages in order, until one fails. `step` is what the stages of a method share: its model and state, how
   long the step is, and what one stage leaves for the next. */
fr_result stages_run(const stage *stages, void *step, timing *t);

#endif
