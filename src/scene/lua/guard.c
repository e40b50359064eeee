#define _GNU_SOURCE
#include "scene/lua/guard.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

/* Ignored by default, so a late signal does no harm. */
#define GUARD_SIGNAL SIGURG

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid /* older C libraries lack this name */
#endif

struct guard {
    void (*hurry)(void *context);
    void *context;
    sigjmp_buf escape;                      /* the target of the jump */
    timer_t timer;                          /* signals the thread that does the work */
    pthread_t thread;
    bool made;                              /* the timer exists */
    double seconds, since;                  /* time limit; when a tick first saw the work */
    volatile sig_atomic_t ticking, running; /* the timer is armed; work is running */
    volatile sig_atomic_t late;             /* the time is up */
    volatile sig_atomic_t shielded, due;    /* the jump is blocked; a jump is pending */
    volatile unsigned entered, seen;        /* calls of guard_run so far; the last one that a tick saw */
    volatile unsigned looks;
};

static void guard_set_timer(guard *g)
{
    struct itimerspec in = {.it_value = {.tv_nsec = (long)(GUARD_TICK * 1e9)}};
    timer_settime(g->timer, 0, &in, NULL);
}

/* The tick. Re-arms the timer only while there is work, so an idle program gets no signals. */
static void guard_look(guard *g)
{
    g->looks++;
    bool fresh = g->seen != g->entered;
    g->seen = g->entered;
    if (fresh)
        g->since = clock_now();
    g->ticking = fresh || g->running;
    if (g->ticking)
        guard_set_timer(g);
    if (!g->running)
        return;
    double over = clock_now() - g->since - g->seconds;
    if (over >= 0 && !g->late) {
        g->late = 1;
        g->hurry(g->context);
    }
    if (over < GUARD_GRACE)
        return;
    if (!g->shielded)
        siglongjmp(g->escape, 1);
    g->due = 1;
}

static void guard_handle(int number, siginfo_t *info, void *machine)
{
    (void)number, (void)machine;
    int kept = errno;
    if (info->si_code == SI_TIMER)
        guard_look(info->si_value.sival_ptr);
    errno = kept;
}

static void guard_unblock(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, GUARD_SIGNAL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void guard_unmake(guard *g)
{
    if (g->made)
        timer_delete(g->timer);
    g->made = false;
    g->ticking = 0;
}

static fr_result guard_make(guard *g)
{
    guard_unmake(g);
    struct sigaction action = {.sa_sigaction = guard_handle, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(GUARD_SIGNAL, &action, NULL);
    guard_unblock();
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = GUARD_SIGNAL, .sigev_value.sival_ptr = g};
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    if (timer_create(CLOCK_MONOTONIC, &event, &g->timer))
        return fr_fail(FR_ERROR_MEMORY, "no timer to run the scene under: %s", strerror(errno));
    g->thread = pthread_self();
    g->made = true;
    return FR_OK;
}

fr_result guard_open(void (*hurry)(void *context), void *context, guard **out)
{
    guard *g = calloc(1, sizeof *g);
    *out = g;
    if (!g)
        return FR_ERROR_MEMORY;
    g->hurry = hurry;
    g->context = context;
    return guard_make(g);
}

void guard_close(guard *g)
{
    if (g)
        guard_unmake(g);
    free(g);
}

static void guard_begin(guard *g, double seconds)
{
    g->seconds = seconds;
    g->late = g->due = g->shielded = 0;
    g->entered++;
    g->running = 1;
    if (!g->ticking) {
        g->ticking = 1;
        guard_set_timer(g);
    }
}

static void guard_end(guard *g)
{
    g->running = 0;
    g->shielded = g->due = 0;
}

fr_result guard_run(guard *g, double seconds, void (*work)(void *context), void *context)
{
    if (!pthread_equal(g->thread, pthread_self()))
        FR_TRY(guard_make(g));
    if (sigsetjmp(g->escape, 0)) {
        guard_end(g);
        guard_unblock(); /* the jump left the signal handler without returning */
        return FR_ERROR_STOPPED;
    }
    guard_begin(g, seconds);
    work(context);
    guard_end(g);
    return FR_OK;
}

bool guard_late(const guard *g)
{
    return g->late;
}

unsigned guard_looks(const guard *g)
{
    return g->looks;
}

void guard_shield(guard *g)
{
    g->shielded++;
}

void guard_unshield(guard *g)
{
    if (--g->shielded == 0 && g->due && g->running)
        siglongjmp(g->escape, 1);
}
