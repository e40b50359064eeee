/* When sources, sinks and particles that come one by one work: from one time to another. */
#ifndef FR_METHOD_TIMES_H
#define FR_METHOD_TIMES_H

#include <math.h>

/* The end that a definition's `to` stands for: 0 is endless. */
static inline double times_end(double to)
{
    return to == 0 ? INFINITY : to;
}

/* Seconds of a stretch of time in which it works. */
static inline double times_overlap(double from, double to, double begin, double end)
{
    return fmax(0, fmin(end, times_end(to)) - fmax(begin, from));
}

#endif
