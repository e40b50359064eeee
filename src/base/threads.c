#include "base/threads.h"

#ifdef _OPENMP
#include <omp.h>
#endif

static int thread_count;

static int threads_cores(void)
{
#ifdef _OPENMP
    return omp_get_num_procs();
#else
    return 1;
#endif
}

void fr_set_threads(int count)
{
    thread_count = count > 0 ? count : threads_cores();
}

int fr_threads(void)
{
    if (thread_count == 0)
        fr_set_threads(0);
    return thread_count;
}

void threads_for(int count, threads_work work, void *context)
{
    int shares = fr_threads() < count ? fr_threads() : count;
    if (shares <= 1) {
        if (count > 0)
            work(context, 0, count);
        return;
    }
#ifdef _OPENMP
#pragma omp parallel for num_threads(shares) schedule(static, 1)
#endif
    for (int share = 0; share < shares; share++)
        work(context, (int)((int64_t)count * share / shares), (int)((int64_t)count * (share + 1) / shares));
}

/* Below this many elements, waking the other cores costs more than they save. */
enum { WORTH_SHARING = 16384 };

void threads_for_cost(int count, int64_t cost, threads_work work, void *context)
{
    if (count * cost >= WORTH_SHARING)
        threads_for(count, work, context);
    else if (count > 0)
        work(context, 0, count);
}

double threads_sum(const double *partial, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += partial[i];
    return sum;
}

double threads_max(const double *partial, int count)
{
    double max = 0;
    for (int i = 0; i < count; i++)
        max = partial[i] > max ? partial[i] : max;
    return max;
}
