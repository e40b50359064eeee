/* The time intervals in which sources, sinks and particle emitters are active. */
#ifndef FR_METHOD_TIMES_H
#define FR_METHOD_TIMES_H

#include <math.h>

/* The end of an interval; a definition's `to` = 0 means infinity. */
static inline double times_end(double to)
{
    return to == 0 ? INFINITY : to;
}

/* The length of the intersection of two intervals, s. */
static inline double times_overlap(double from, double to, double begin, double end)
{
    return fmax(0, fmin(end, times_end(to)) - fmax(begin, from));
}

#endif
