#include "method/timing.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"

double timing_add(timing *t, const char *stage, double start)
{
    double now = clock_now();
    int i = 0;
    while (i < t->count && strcmp(t->stages[i].stage, stage) != 0)
        i++;
    assert(i < TIMING_MOST);
    if (i == t->count)
        t->stages[t->count++] = (fr_stage_time){.stage = stage};
    t->stages[i].seconds += now - start;
    t->stages[i].bytes += *t->traffic;
    *t->traffic = 0;
    t->stages[i].calls++;
    return now;
}
