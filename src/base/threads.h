/* Work on several cores. The only place that knows OpenMP.

   What is computed never depends on the number of threads: an item of work is the same whoever does it, and
   sums are taken per item and added in the order of the items. */
#ifndef FR_BASE_THREADS_H
#define FR_BASE_THREADS_H

#include <freshet/base.h>

/* Does items [begin, end) of the work in `context`. */
typedef void (*threads_work)(void *context, int begin, int end);

/* Calls `work` on contiguous shares of [0, count), one share per thread. */
void threads_for(int count, threads_work work, void *context);

/* The same for work that is too small to share when count·cost is low (cost: in elements per item). */
void threads_for_cost(int count, int64_t cost, threads_work work, void *context);

/* Sum of per-item partial results in a fixed order. */
double threads_sum(const double *partial, int count);
double threads_max(const double *partial, int count);

#endif
