/* Measured times per stage. */
#ifndef FR_METHOD_TIMING_H
#define FR_METHOD_TIMING_H

#include <freshet/world.h>

enum { TIMING_MOST = 24 };

typedef struct timing {
    fr_stage_time stages[TIMING_MOST];
    int count;
    double *traffic;         /* bytes of memory traffic of the running stage; timing_add reads and resets it */
} timing;

/* Adds the seconds and the traffic to the stage. */
void timing_add(timing *t, const char *stage, double seconds);

#endif
