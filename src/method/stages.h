/* A scheme is a list of stages. The loop that runs them measures their times, so stages contain no timing code. */
#ifndef FR_METHOD_STAGES_H
#define FR_METHOD_STAGES_H

#include "method/timing.h"

/* A list ends with an empty row. */
typedef struct stage {
    const char *name;                 /* its time is recorded under this name, which stages may share */
    fr_result (*run)(void *step);
    const struct stage *parts;        /* instead of name and run: a list that several schemes share */
} stage;

/* Runs the stages in order until one fails. `step` is the struct that a method's stages share: model, state, step size,
   and what one stage passes to the next. */
fr_result stages_run(const stage *stages, void *step, timing *t);

#endif
