#include "base/pace.h"

#include <stdatomic.h>

/* A hash table keyed by the loop function's address. On a collision the newer entry replaces the older. */
enum { PLACES = 1024 };

typedef struct pace {
    _Atomic uintptr_t loop;
    _Atomic double seconds;
} pace;

static pace *pace_place(threads_work work)
{
    static pace places[PLACES];
    return &places[(uint64_t)(uintptr_t)work * UINT64_C(0x9E3779B97F4A7C15) >> 54];
}

double pace_of(threads_work work, double unknown)
{
    pace *p = pace_place(work);
    bool known = atomic_load_explicit(&p->loop, memory_order_relaxed) == (uintptr_t)work;
    return known ? atomic_load_explicit(&p->seconds, memory_order_relaxed) : unknown;
}

/* A shorter time is believed at once; a longer one at most doubles the estimate, since the thread may have been
   preempted while it was timed. */
double pace_learn(threads_work work, double seconds)
{
    pace *p = pace_place(work);
    double last = pace_of(work, seconds), learnt = seconds < 2 * last ? seconds : 2 * last;
    atomic_store_explicit(&p->seconds, learnt, memory_order_relaxed);
    atomic_store_explicit(&p->loop, (uintptr_t)work, memory_order_relaxed);
    return learnt;
}
