/* How long an item of a loop takes, remembered for each loop. It decides who works, never what is computed. */
#ifndef FR_BASE_PACE_H
#define FR_BASE_PACE_H

#include "base/threads.h"

/* Seconds for one unit of work; `unknown` for a loop that has not been timed. */
double pace_of(threads_work work, double unknown);

/* Takes note of a timing. Returns what it takes for true. */
double pace_learn(threads_work work, double seconds);

#endif
