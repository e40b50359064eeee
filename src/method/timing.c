#include "method/timing.h"

#include <assert.h>
#include <string.h>

void timing_add(timing *t, const char *stage, double seconds)
{
    int i = 0;
    while (i < t->count && strcmp(t->stages[i].stage, stage) != 0)
        i++;
    assert(i < TIMING_MOST);
    if (i == t->count)
        t->stages[t->count++] = (fr_stage_time){.stage = stage};
    t->stages[i].seconds += seconds;
    t->stages[i].bytes += *t->traffic;
    *t->traffic = 0;
    t->stages[i].calls++;
}
