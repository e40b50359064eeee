#define _GNU_SOURCE
#include "base/pool.h"

#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "base/clock.h"
#include "base/cores.h"

/* How long an idle thread spins for the next loop, or a caller for the end of the last piece, before it sleeps:
   somewhat longer than waking a thread takes. */
static const double SPIN = 200e-6;

/* A budget for time lost by sharing, in seconds. A shared loop that took longer than it would have taken alone spends
   from it; one that was faster pays back. When the budget is used up the machine is too busy, and callers work alone
   for a pause. Each new pause is twice the last one; time that sharing saved in between shortens it. */
static const double CREDIT = 40e-3, CREDIT_AFTER_PAUSE = 5e-3;
static const double PAUSE_LEAST = 10e-3, PAUSE_MOST = 320e-3;

/* The items left in a thread's share: begin in the upper 32 bits, end in the lower. Alone on its cache line, against
   false sharing. */
typedef struct pool_range {
    _Alignas(64) _Atomic uint64_t left;
} pool_range;

typedef struct pool_job pool_job;
struct pool_job {
    const pool_loop *loop;
    pool_job *next;
    fenv_t rounding;                      /* helpers take on the caller's floating-point modes */
    int room;                             /* how many more helpers may join */
    _Atomic int helpers;                  /* working on it now */
    _Atomic int64_t helped;               /* CPU time of the helpers, ns */
    pool_range range[POOL_MOST];
};

static struct {
    pthread_mutex_t lock;                 /* guards the members that are not atomic */
    pthread_cond_t called, finished;
    pool_job *open;                       /* loops that helpers can join */
    pthread_t thread[POOL_MOST];
    int threads, asleep;
    bool closing;
    _Atomic unsigned calls;               /* loops opened so far; idle threads spin on it */
    _Atomic int sleeping_callers;
    _Atomic double spent, pause, alone_until;    /* s: used of CREDIT, last pause, its end */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .called = PTHREAD_COND_INITIALIZER, .finished = PTHREAD_COND_INITIALIZER};

static _Thread_local bool inside_loop;

static uint64_t range_of(int begin, int end) { return (uint64_t)(uint32_t)begin << 32 | (uint32_t)end; }

/* Takes a quarter of the items left: pieces get smaller towards the end, so that all threads finish together. The
   owner takes from the front, other threads steal from the back. */
static bool range_take(pool_range *r, int least, bool front, int *begin, int *end)
{
    uint64_t left = atomic_load_explicit(&r->left, memory_order_relaxed), rest;
    do {
        int first = (int)(left >> 32), last = (int)(uint32_t)left, piece = (last - first) / 4;
        if (first == last)
            return false;
        piece = piece > least ? piece : least < last - first ? least : last - first;
        *begin = front ? first : last - piece;
        *end = *begin + piece;
        rest = front ? range_of(*end, last) : range_of(first, *begin);
    } while (!atomic_compare_exchange_weak_explicit(&r->left, &left, rest, memory_order_relaxed, memory_order_relaxed));
    return true;
}

/* Works through its own share, then steals from the others. Returns how many items it did. */
static int job_work(pool_job *job, int share)
{
    const pool_loop *loop = job->loop;
    int begin, end, done = 0;
    inside_loop = true;
    for (int n = 0; n < loop->shares; n++)
        while (range_take(&job->range[(share + n) % loop->shares], loop->least, n == 0, &begin, &end)) {
            loop->work(loop->context, begin, end);
            done += end - begin;
        }
    inside_loop = false;
    return done;
}

static double pool_processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Reading a thread's CPU time takes a microsecond. For loops shorter than this the elapsed time is taken instead,
   capped by the loop's estimate. */
static const double BRIEF = 100e-6;

static double pool_work_time(const pool_loop *loop)
{
    return loop->seconds < BRIEF ? clock_now() : pool_processor_time();
}

/* Works as a helper; returns the CPU time spent. */
static double job_help(pool_job *job, int share)
{
    const pool_loop *loop = job->loop;
    double start = pool_work_time(loop);
    fesetenv(&job->rounding);
    job_work(job, share % loop->shares);
    double helped = pool_work_time(loop) - start;
    return loop->seconds < BRIEF ? fmin(helped, loop->seconds) : helped;
}

/* With more threads than cores, spinning would take cores from threads that have work. */
static double pool_spin(void) { return fr_threads() <= cores_count() ? SPIN : 0; }

static void pool_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Whether the time is up. Reads the clock every 32nd turn only. */
static bool pool_spun(unsigned turn, double until)
{
    pool_relax();
    return turn % 32 == 31 && clock_now() >= until;
}

/* Joins a loop that has room for another helper, or returns NULL. Call with the lock held. */
static pool_job *pool_join(void)
{
    for (pool_job *job = pool.open; job; job = job->next)
        if (job->room > 0) {
            job->room--;
            atomic_fetch_add(&job->helpers, 1);
            return job;
        }
    return NULL;
}

/* The job lives on the caller's stack and may be gone once its count of helpers has been decremented. */
static void pool_help(pool_job *job, int share)
{
    atomic_fetch_add(&job->helped, (int64_t)(1e9 * job_help(job, share)));
    if (atomic_fetch_sub(&job->helpers, 1) == 1 && atomic_load(&pool.sleeping_callers) > 0) {
        pthread_mutex_lock(&pool.lock);
        pthread_cond_broadcast(&pool.finished);
        pthread_mutex_unlock(&pool.lock);
    }
}

static void pool_watch(unsigned seen)
{
    double spin = pool_spin(), until = clock_now() + spin;
    for (unsigned turn = 0; spin > 0 && atomic_load(&pool.calls) == seen; turn++)
        if (pool_spun(turn, until))
            return;
}

/* Waits for the next job; NULL when the pool closes. Call with the lock held. */
static pool_job *pool_next_job(void)
{
    pool_job *job = pool_join();
    if (!job && !pool.closing) {
        unsigned seen = atomic_load(&pool.calls);
        pthread_mutex_unlock(&pool.lock);
        pool_watch(seen);
        pthread_mutex_lock(&pool.lock);
        job = pool_join();
    }
    while (!job && !pool.closing) {
        pool.asleep++;
        pthread_cond_wait(&pool.called, &pool.lock);
        pool.asleep--;
        job = pool_join();
    }
    return job;
}

static void *pool_thread(void *context)
{
    int share = (int)(intptr_t)context;
    pthread_mutex_lock(&pool.lock);
    for (pool_job *job; (job = pool_next_job());) {
        pthread_mutex_unlock(&pool.lock);
        pool_help(job, share);
        pthread_mutex_lock(&pool.lock);
    }
    pthread_mutex_unlock(&pool.lock);
    return NULL;
}

/* The pool's threads block all signals except those of a crash: other signals are for the program's own threads. */
static void pool_block_signals(sigset_t *before)
{
    const int crash[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    sigset_t set;
    sigfillset(&set);
    for (size_t n = 0; n < sizeof crash / sizeof *crash; n++)
        sigdelset(&set, crash[n]);
    pthread_sigmask(SIG_SETMASK, &set, before);
}

static void pool_before_fork(void) { pthread_mutex_lock(&pool.lock); }
static void pool_after_fork(void) { pthread_mutex_unlock(&pool.lock); }

/* After fork only the calling thread exists in the child; the pool starts new threads when they are needed. */
static void pool_in_child(void)
{
    pool.threads = pool.asleep = 0;
    pool.open = NULL;
    atomic_store(&pool.sleeping_callers, 0);
    pthread_cond_init(&pool.called, NULL);
    pthread_cond_init(&pool.finished, NULL);
    pthread_mutex_unlock(&pool.lock);
}

static void pool_watch_forks(void) { pthread_atfork(pool_before_fork, pool_after_fork, pool_in_child); }

/* Call with the lock held. If a thread cannot be created, the others do its work. */
static void pool_start(int wanted)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, pool_watch_forks);
    sigset_t before;
    pool_block_signals(&before);
    while (pool.threads < wanted &&
           !pthread_create(&pool.thread[pool.threads], NULL, pool_thread, (void *)(intptr_t)(pool.threads + 1)))
        pool.threads++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Runs at the end of the program, or when the library is unloaded. */
__attribute__((destructor)) static void pool_close(void)
{
    pthread_mutex_lock(&pool.lock);
    pool.closing = true;
    int threads = pool.threads;
    pool.threads = 0;
    pthread_cond_broadcast(&pool.called);
    atomic_fetch_add(&pool.calls, 1);
    pthread_mutex_unlock(&pool.lock);
    for (int t = 0; t < threads; t++)
        pthread_join(pool.thread[t], NULL);
}

static void pool_open_job(pool_job *job)
{
    int wanted = job->loop->shares - 1;
    pthread_mutex_lock(&pool.lock);
    if (pool.threads < wanted && !pool.closing)
        pool_start(wanted);
    job->next = pool.open;
    pool.open = job;
    int wake = pool.asleep < wanted ? pool.asleep : wanted;
    pthread_mutex_unlock(&pool.lock);
    atomic_fetch_add(&pool.calls, 1);
    for (int n = 0; n < wake; n++)
        pthread_cond_signal(&pool.called);
}

/* After this no helper can join the job. */
static void pool_close_job(pool_job *job)
{
    pthread_mutex_lock(&pool.lock);
    pool_job **at = &pool.open;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
    pthread_mutex_unlock(&pool.lock);
}

static void pool_wait(pool_job *job, double now)
{
    double until = now + pool_spin();
    for (unsigned turn = 0; atomic_load(&job->helpers) > 0; turn++)
        if (pool_spun(turn, until))
            break;
    if (atomic_load(&job->helpers) == 0)
        return;
    atomic_fetch_add(&pool.sleeping_callers, 1);
    pthread_mutex_lock(&pool.lock);
    while (atomic_load(&job->helpers) > 0)
        pthread_cond_wait(&pool.finished, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
    atomic_fetch_sub(&pool.sleeping_callers, 1);
}

/* The updates are not atomic together: concurrent callers may lose some. An approximate budget is enough. */
void pool_settle(double saved, double now)
{
    double spent = fmax(atomic_load_explicit(&pool.spent, memory_order_relaxed) - saved, 0);
    double pause = fmax(atomic_load_explicit(&pool.pause, memory_order_relaxed) - fmax(saved, 0), 0);
    if (spent > CREDIT) {
        spent = CREDIT - CREDIT_AFTER_PAUSE;
        pause = fmin(fmax(2 * pause, PAUSE_LEAST), PAUSE_MOST);
        atomic_store_explicit(&pool.alone_until, now + pause, memory_order_relaxed);
    }
    atomic_store_explicit(&pool.spent, spent, memory_order_relaxed);
    atomic_store_explicit(&pool.pause, pause, memory_order_relaxed);
}

bool pool_inside(void) { return inside_loop; }

bool pool_helps(double now) { return now >= atomic_load_explicit(&pool.alone_until, memory_order_relaxed); }

pool_part pool_run(const pool_loop *loop, double now)
{
    pool_job job;
    job.loop = loop;
    job.room = loop->shares - 1;
    atomic_init(&job.helpers, 0);
    atomic_init(&job.helped, 0);
    fegetenv(&job.rounding);
    for (int share = 0; share < loop->shares; share++)
        atomic_init(&job.range[share].left, range_of((int)((int64_t)loop->count * share / loop->shares),
                                                     (int)((int64_t)loop->count * (share + 1) / loop->shares)));
    pool_open_job(&job);
    int items = job_work(&job, 0);
    double done = clock_now();
    pool_close_job(&job);
    pool_wait(&job, done);
    return (pool_part){.items = items, .seconds = done - now, .helped = 1e-9 * (double)atomic_load(&job.helped)};
}
