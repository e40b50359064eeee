/* Work on several cores (base/pool.h has the threads).

   What is computed never depends on the number of threads: an item of work is the same whoever does it, and
   sums are taken per item and added in the order of the items. Who does an item depends on who is free, and whether
   a loop is shared at all on how long it took so far. */
#ifndef FR_BASE_THREADS_H
#define FR_BASE_THREADS_H

#include <freshet/base.h>

/* Does items [begin, end) of the work in `context`. */
typedef void (*threads_work)(void *context, int begin, int end);

/* Calls `work` on contiguous pieces of [0, count). */
void threads_for(int count, threads_work work, void *context);

/* The same where the items of one call are longer than those of another (cost: in elements per item, about 1 ns each
   until they have been timed). */
void threads_for_cost(int count, int64_t cost, threads_work work, void *context);

/* Sum of per-item partial results in a fixed order. */
double threads_sum(const double *partial, int count);
double threads_max(const double *partial, int count);

#endif
