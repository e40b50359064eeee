/* The progress of a run: one updating line on a terminal, one line per frame otherwise, or JSON. */
#ifndef RUN_PROGRESS_H
#define RUN_PROGRESS_H

#include "cli.h"

typedef struct progress {
    /* set by the caller */
    int target;            /* last frame of the run */
    double fps;
    bool particles;        /* elements are particles, counted at every frame; else cells */
    double elements;       /* number of cells, or of particles now */
    bool pictures;         /* pictures follow the last frame; the estimate does not include them */
    bool json;             /* one object per frame on standard output */
    /* updated by the progress_ functions */
    double begin;          /* wall clock at the start, s */
    double first_time;     /* simulated time at the start, s */
    double shown;          /* wall clock of the last update, s */
    int64_t steps;         /* since the start of this session */
    int frame_steps;       /* since the last frame */
    double work;           /* elements times steps since the start of this session */
    double density_error;  /* mean density error of a liquid at the last frame; NaN when unknown */
    fr_step_report last;
} progress;

void progress_begin(progress *progress, double time);
void progress_step(progress *progress, int frame, const fr_step_report *report);
void progress_frame(progress *progress, const fr_frame *frame);
double progress_elapsed(const progress *progress);

#endif
