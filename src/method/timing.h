/* Time per stage. */
#ifndef FR_METHOD_TIMING_H
#define FR_METHOD_TIMING_H

#include <freshet/world.h>

enum { TIMING_MOST = 24 };

typedef struct timing {
    fr_stage_time stages[TIMING_MOST];
    int count;
    double *traffic;         /* bytes that the stages say they moved; each stage's are taken from here */
} timing;

/* Adds the seconds since `start`, and the traffic, to the stage; returns the time now, the start of the next one. */
double timing_add(timing *t, const char *stage, double start);

#endif
