/* Loops on several threads: every item once, the same sums, callable from any thread, and no waiting for threads that
   have not started. */
#define _GNU_SOURCE
#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/cores.h"
#include "base/pace.h"
#include "base/pool.h"

enum { ITEMS = 5000, MOST_THREADS = 8 };

typedef struct tally {
    _Atomic int done[ITEMS];
    _Atomic int pieces;
} tally;

static void count_items(void *context, int begin, int end)
{
    tally *t = context;
    atomic_fetch_add(&t->pieces, 1);
    assert_true(begin < end);
    for (int n = begin; n < end; n++)
        atomic_fetch_add(&t->done[n], 1);
}

static void assert_each_done(const tally *t, int count, int times)
{
    for (int n = 0; n < ITEMS; n++)
        assert_int_equal(atomic_load(&t->done[n]), n < count ? times : 0);
}

/* A loop that is shared whatever it takes. */
static void run_shared(int count, int shares, threads_work work, void *context)
{
    pool_loop loop = {.work = work, .context = context, .count = count, .shares = shares, .least = 1};
    pool_run(&loop, clock_now());
}

static void does_every_item_once(void **state)
{
    (void)state;
    for (int shares = 2; shares <= MOST_THREADS; shares++)
        for (int count = shares; count <= ITEMS; count = 3 * count + 1) {
            tally t = {0};
            run_shared(count, shares, count_items, &t);
            assert_each_done(&t, count, 1);
        }
    for (int count = 0; count < 3; count++) {
        tally t = {0};
        threads_for(count, count_items, &t);
        assert_each_done(&t, count, 1);
    }
}

typedef struct nest {
    tally inner;
    bool shared_again;
} nest;

static void start_inner(void *context, int begin, int end)
{
    nest *n = context;
    for (int i = begin; i < end; i++) {
        if (!pool_inside())
            n->shared_again = true;
        threads_for(ITEMS, count_items, &n->inner);
    }
}

static void loops_inside_loops_run_alone(void **state)
{
    (void)state;
    fr_set_threads(4);
    nest n = {0};
    run_shared(20, 4, start_inner, &n);
    assert_each_done(&n.inner, ITEMS, 20);
    assert_int_equal(atomic_load(&n.inner.pieces), 20);
    assert_false(n.shared_again);
    assert_false(pool_inside());
}

static void *call_many_times(void *context)
{
    for (int round = 0; round < 200; round++) {
        tally t = {0};
        run_shared(500, 3, count_items, &t);
        assert_each_done(&t, 500, 1);
    }
    atomic_fetch_add((_Atomic int *)context, 1);
    return NULL;
}

static void several_threads_may_call(void **state)
{
    (void)state;
    pthread_t thread[4];
    _Atomic int finished = 0;
    for (int t = 0; t < 4; t++)
        assert_int_equal(pthread_create(&thread[t], NULL, call_many_times, &finished), 0);
    for (int t = 0; t < 4; t++)
        pthread_join(thread[t], NULL);
    assert_int_equal(atomic_load(&finished), 4);
}

static void sum_rows(void *context, int begin, int end)
{
    double *partial = context;
    for (int n = begin; n < end; n++) {
        partial[n] = 0;
        for (int i = 1; i < 50; i++)
            partial[n] += 1.0 / (n + 1) / i;
    }
}

static void sums_have_the_same_bits(void **state)
{
    (void)state;
    static double partial[ITEMS];
    sum_rows(partial, 0, ITEMS);
    const double alone = threads_sum(partial, ITEMS);
    for (int threads = 2; threads <= MOST_THREADS; threads++) {
        memset(partial, 0, sizeof partial);
        run_shared(ITEMS, threads, sum_rows, partial);
        double sum = threads_sum(partial, ITEMS);
        assert_memory_equal(&sum, &alone, sizeof sum);
        fr_set_threads(threads);
        threads_for(ITEMS, sum_rows, partial);
        sum = threads_sum(partial, ITEMS);
        assert_memory_equal(&sum, &alone, sizeof sum);
    }
}

/* One thread is held up in the middle of its first piece until the caller has done all that is not in it. */
typedef struct hold {
    pthread_t caller;
    _Atomic int left, held;
    double seconds;
} hold;

static void hold_first_helper(void *context, int begin, int end)
{
    hold *h = context;
    for (int n = begin; n < end; n++) {
        atomic_fetch_sub(&h->left, 1);
        if (!pthread_equal(h->caller, pthread_self()) && atomic_exchange(&h->held, 1) == 0)
            for (double until = clock_now() + h->seconds; atomic_load(&h->left) > end - n - 1 && clock_now() < until;)
                sched_yield();
        if (pthread_equal(h->caller, pthread_self()) && !atomic_load(&h->held))
            usleep(100);   /* gives the helper time to come */
    }
}

static void others_take_what_a_late_thread_leaves(void **state)
{
    (void)state;
    hold h = {.caller = pthread_self(), .left = ITEMS, .seconds = 20};
    double start = clock_now();
    run_shared(ITEMS, 2, hold_first_helper, &h);
    assert_int_equal(atomic_load(&h.left), 0);
    assert_true(clock_now() - start < h.seconds);
}

/* Waiting is sleep, not spinning: processor time stays far below the time that passes. */
static void sleep_in_helper(void *context, int begin, int end)
{
    hold *h = context;
    for (int n = begin; n < end; n++) {
        bool caller = pthread_equal(h->caller, pthread_self());
        if (!caller && atomic_exchange(&h->held, 1) == 0)
            usleep((useconds_t)(1e6 * h->seconds));
        else if (caller)
            for (double until = clock_now() + 5; !atomic_load(&h->held) && clock_now() < until;)
                usleep(100);
    }
}

static void waiting_is_bounded(void **state)
{
    (void)state;
    struct timespec before, after;
    hold h = {.caller = pthread_self(), .seconds = 0.5};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    run_shared(2, 2, sleep_in_helper, &h);
    usleep(100000);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    assert_int_equal(atomic_load(&h.held), 1);
    assert_true((double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec) < 0.2);
}

/* Loops that lose by help send callers to work alone, and for longer when it happens again; what help saves pays that
   off. */
static void help_that_costs_is_not_asked_for(void **state)
{
    (void)state;
    pool_settle(1e3, 0);
    assert_true(pool_helps(1e6));
    pool_settle(-1, 1e6);
    assert_false(pool_helps(1e6));
    assert_true(pool_helps(1e6 + 1));
    double first = 0, second = 0;
    while (!pool_helps(1e6 + first))
        first += 1e-3;
    pool_settle(-1, 2e6);
    while (!pool_helps(2e6 + second))
        second += 1e-3;
    assert_true(second > 1.5 * first);
    pool_settle(1e3, 3e6);
    pool_settle(-1, 3e6);
    assert_true(pool_helps(3e6 + first + 2e-3));
    pool_settle(1e3, 0);
}

static void a_pace_is_learnt(void **state)
{
    (void)state;
    threads_work loop = sleep_in_helper;
    assert_true(pace_of(loop, 7) == 7);
    assert_true(pace_learn(loop, 1e-6) == 1e-6);
    assert_true(pace_learn(loop, 1) == 2e-6);
    assert_true(pace_learn(loop, 1e-7) == 1e-7);
    assert_true(pace_of(loop, 7) == 1e-7);
}

/* A tiny loop, once timed, is one piece on the calling thread. */
static void count_pieces(void *context, int begin, int end)
{
    (void)begin, (void)end;
    atomic_fetch_add((_Atomic int *)context, 1);
}

static void small_work_stays_on_one_thread(void **state)
{
    (void)state;
    if (getenv("FRESHET_SHARE"))
        skip();
    fr_set_threads(4);
    _Atomic int pieces = 0;
    for (int n = 0; n < 40; n++)
        threads_for(8, count_pieces, &pieces);
    atomic_store(&pieces, 0);
    int alone = 0;
    for (int n = 0; n < 100; n++) {
        threads_for(8, count_pieces, &pieces);
        alone += atomic_exchange(&pieces, 0) == 1;
    }
    assert_true(alone > 90);
}

static void a_child_process_has_its_own_threads(void **state)
{
    (void)state;
#ifdef __SANITIZE_THREAD__
    skip();   /* it lets no child start threads */
#endif
    tally t = {0};
    run_shared(ITEMS, 4, count_items, &t);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        tally own = {0};
        alarm(20);
        for (int n = 0; n < 50; n++)
            run_shared(ITEMS, 4, count_items, &own);
        bool good = true;
        for (int n = 0; n < ITEMS; n++)
            good = good && own.done[n] == 50;
        _exit(good ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    run_shared(ITEMS, 4, count_items, &t);
    assert_each_done(&t, ITEMS, 2);
}

static int threads_with(const char *wish)
{
    assert_int_equal(setenv("FRESHET_THREADS", wish, 1), 0);
    fr_set_threads(0);
    return fr_threads();
}

static void the_environment_may_say_how_many(void **state)
{
    (void)state;
    assert_int_equal(threads_with("3"), 3);
    assert_int_equal(threads_with("99999999999"), POOL_MOST);
    const char *nothing[] = {"", "0", "-2", "many"};
    for (size_t n = 0; n < sizeof nothing / sizeof *nothing; n++)
        assert_int_equal(threads_with(nothing[n]), cores_count());
    fr_set_threads(2);
    assert_int_equal(fr_threads(), 2);
    assert_int_equal(unsetenv("FRESHET_THREADS"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(does_every_item_once),
        cmocka_unit_test(loops_inside_loops_run_alone),
        cmocka_unit_test(several_threads_may_call),
        cmocka_unit_test(sums_have_the_same_bits),
        cmocka_unit_test(others_take_what_a_late_thread_leaves),
        cmocka_unit_test(waiting_is_bounded),
        cmocka_unit_test(help_that_costs_is_not_asked_for),
        cmocka_unit_test(a_pace_is_learnt),
        cmocka_unit_test(small_work_stays_on_one_thread),
        cmocka_unit_test(a_child_process_has_its_own_threads),
        cmocka_unit_test(the_environment_may_say_how_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
