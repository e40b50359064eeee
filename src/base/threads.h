/* Parallel loops (the threads are in base/pool.h).

   Results never depend on the number of threads: an item gives the same result on any thread, and sums are taken per
   item and added in the order of the items. Which thread does an item depends on who is free. Whether a loop is
   shared at all depends on how long it took so far. */
#ifndef FR_BASE_THREADS_H
#define FR_BASE_THREADS_H

#include <freshet/base.h>

/* Processes the items [begin, end). */
typedef void (*threads_work)(void *context, int begin, int end);

/* Calls `work` on contiguous pieces of [0, count). */
void threads_for(int count, threads_work work, void *context);

/* The same for loops whose items differ in length from call to call. `cost`: elements per item, assumed to take 1 ns
   each until the loop has been timed. */
void threads_for_cost(int count, int64_t cost, threads_work work, void *context);

/* Sum and maximum of per-item partial results, in a fixed order. */
double threads_sum(const double *partial, int count);
double threads_max(const double *partial, int count);

#endif
