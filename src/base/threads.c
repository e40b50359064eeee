#include "base/threads.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cores.h"
#include "base/pace.h"
#include "base/pool.h"

static _Atomic int thread_count;

/* For programs and batch systems that cannot say it otherwise. */
static int threads_usual(void)
{
    const char *wish = getenv("FRESHET_THREADS");
    long count = wish ? strtol(wish, NULL, 10) : 0;
    return count > 0 ? (int)(count < POOL_MOST ? count : POOL_MOST) : cores_count();
}

void fr_set_threads(int count)
{
    count = count > 0 ? count : threads_usual();
    atomic_store(&thread_count, count < POOL_MOST ? count : POOL_MOST);
}

int fr_threads(void)
{
    if (atomic_load_explicit(&thread_count, memory_order_relaxed) == 0)
        fr_set_threads(0);
    return atomic_load_explicit(&thread_count, memory_order_relaxed);
}

/* WORTH_SHARING: seconds of work per thread below which waking it costs more than it saves. PIECE: seconds of the
   smallest piece; many loops run one long piece faster than several short ones. */
static const double WORTH_SHARING = 10e-6, PIECE = 50e-6;

/* Tests set FRESHET_SHARE=all, so that even their small loops run on several threads. */
static bool threads_share_all(void)
{
    static _Atomic int answer;   /* 0: not asked yet */
    if (!atomic_load_explicit(&answer, memory_order_relaxed)) {
        const char *wish = getenv("FRESHET_SHARE");
        atomic_store_explicit(&answer, wish && !strcmp(wish, "all") ? 2 : 1, memory_order_relaxed);
    }
    return atomic_load_explicit(&answer, memory_order_relaxed) == 2;
}

/* How many threads should share a loop. */
static int threads_shares(const pool_loop *loop, double now)
{
    int most = fr_threads() < loop->count ? fr_threads() : loop->count;
    if (threads_share_all())
        return most;
    double worth = loop->seconds / WORTH_SHARING;
    most = worth < most ? (int)worth : most;
    return most > 1 && pool_helps(now) ? most : 1;
}

static void threads_run_alone(const pool_loop *loop, double units, double now)
{
    loop->work(loop->context, 0, loop->count);
    pace_learn(loop->work, (clock_now() - now) / (units * loop->count));
}

static void threads_run_shared(const pool_loop *loop, double units, double now)
{
    pool_part own = pool_run(loop, now);
    double end = clock_now(), done = units * own.items;
    double alone = done > 0 ? pace_learn(loop->work, own.seconds / done) * done + own.helped : own.helped;
    pool_settle(alone - (end - now), end);
}

/* `units` of work per item; `unknown` is the assumed time of a unit, s, until the loop has been timed. */
static void threads_run(pool_loop *loop, double units, double unknown)
{
    double now = clock_now();
    loop->seconds = pace_of(loop->work, unknown) * units * loop->count;
    loop->least = (int)fmin(fmax(loop->count * (PIECE / loop->seconds), 1), loop->count);
    loop->shares = threads_shares(loop, now);
    if (loop->shares > 1)
        threads_run_shared(loop, units, now);
    else
        threads_run_alone(loop, units, now);
}

static void threads_start(pool_loop *loop, double units, double unknown)
{
    if (loop->count > 1 && fr_threads() > 1 && !pool_inside())
        threads_run(loop, units, unknown);
    else if (loop->count > 0)
        loop->work(loop->context, 0, loop->count);
}

void threads_for(int count, threads_work work, void *context)
{
    threads_start(&(pool_loop){.work = work, .context = context, .count = count}, 1, INFINITY);
}

void threads_for_cost(int count, int64_t cost, threads_work work, void *context)
{
    threads_start(&(pool_loop){.work = work, .context = context, .count = count}, cost > 0 ? (double)cost : 1, 1e-9);
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
