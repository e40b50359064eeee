/* How far a run is: one updating line on a terminal, one line per frame otherwise, or JSON. */
#ifndef RUN_PROGRESS_H
#define RUN_PROGRESS_H

#include "cli.h"

typedef struct progress {
    /* set by the caller */
    int target;            /* last frame of the run */
    double fps;
    bool particles;        /* a liquid of particles: they are counted at every frame; else cells */
    double elements;       /* cells; of particles how many there are now */
    bool pictures;         /* they are drawn after the last frame, for which no time is foreseen */
    bool json;             /* one object per frame on standard output */
    /* kept by progress_ calls */
    double begin;          /* wall clock at the start, s */
    double first_time;     /* simulated time at the start, s */
    double shown;          /* wall clock of the last update, s */
    int64_t steps;         /* since the start of this session */
    int frame_steps;       /* since the last frame */
    double work;           /* elements times steps since the start of this session */
    double density_error;  /* of a liquid, mean, at the last frame; NaN when unknown */
    fr_step_report last;
} progress;

void progress_begin(progress *progress, double time);
void progress_step(progress *progress, int frame, const fr_step_report *report);
void progress_frame(progress *progress, const fr_frame *frame);
double progress_elapsed(const progress *progress);

#endif
