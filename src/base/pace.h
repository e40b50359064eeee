/* Remembers how long one item of each loop takes. This decides which threads take part, never what is computed. */
#ifndef FR_BASE_PACE_H
#define FR_BASE_PACE_H

#include "base/threads.h"

/* Seconds per unit of work; `unknown` for a loop that has not been timed yet. */
double pace_of(threads_work work, double unknown);

/* Records a timing in seconds per unit of work. Returns the updated estimate. */
double pace_learn(threads_work work, double seconds);

#endif
