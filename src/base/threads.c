#include "base/threads.h"

#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef __SANITIZE_THREAD__
#include <pthread.h>
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

typedef struct threads_job {
    threads_work work;
    void *context;
    int count, shares, share;
} threads_job;

static void threads_do_share(const threads_job *job, int share)
{
    job->work(job->context, (int)((int64_t)job->count * share / job->shares), (int)((int64_t)job->count * (share + 1) / job->shares));
}

#ifdef __SANITIZE_THREAD__
/* The thread sanitizer does not see how OpenMP's threads wait for each other; it does see these. */
static void *threads_run_share(void *context)
{
    const threads_job *job = context;
    threads_do_share(job, job->share);
    return NULL;
}

static void threads_run(const threads_job *job)
{
    enum { MOST = 64 };
    pthread_t threads[MOST];
    threads_job jobs[MOST];
    int started = 0;
    for (int share = 1; share < job->shares && started < MOST; share++, started++) {
        jobs[started] = *job;
        jobs[started].share = share;
        if (pthread_create(&threads[started], NULL, threads_run_share, &jobs[started]) != 0)
            break;
    }
    threads_do_share(job, 0);
    for (int share = started + 1; share < job->shares; share++)
        threads_do_share(job, share);
    for (int t = 0; t < started; t++)
        pthread_join(threads[t], NULL);
}
#else
static void threads_run(const threads_job *job)
{
#ifdef _OPENMP
#pragma omp parallel for num_threads(job->shares) schedule(static, 1)
#endif
    for (int share = 0; share < job->shares; share++)
        threads_do_share(job, share);
}
#endif

void threads_for(int count, threads_work work, void *context)
{
    int shares = fr_threads() < count ? fr_threads() : count;
    threads_job job = {work, context, count, shares, 0};
    if (shares > 1)
        threads_run(&job);
    else if (count > 0)
        work(context, 0, count);
}

/* Below this many elements, waking the other cores costs more than they save. */
enum { WORTH_SHARING = 32768 };

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
