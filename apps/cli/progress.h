/* How far a run is: one updating line on a terminal, one line per frame otherwise, or JSON. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "cli.h"

typedef struct progress {
    /* set by the caller */
    int target;            /* last frame of the run */
    double fps;
    double cells;
    bool pictures;         /* they are drawn after the last frame, for which no time is foreseen */
    bool json;             /* one object per frame on standard output */
    /* kept by progress_ calls */
    double begin;          /* wall clock at the start, s */
    double first_time;     /* simulated time at the start, s */
    double shown;          /* wall clock of the last update, s */
    int64_t steps;         /* since the start of this session */
    int frame_steps;       /* since the last frame */
    fr_step_report last;
} progress;

void progress_begin(progress *progress, double time);
void progress_step(progress *progress, int frame, const fr_step_report *report);
void progress_frame(progress *progress, const fr_frame *frame);
double progress_elapsed(const progress *progress);

#endif
