#include "method/stages.h"

#include "base/clock.h"

fr_result stages_run(const stage *stages, void *step, timing *t)
{
    for (const stage *at = stages; at->run || at->parts; at++) {
        if (at->parts) {
            FR_TRY(stages_run(at->parts, step, t));
            continue;
        }
        double start = clock_now();
        FR_TRY(at->run(step));
        timing_add(t, at->name, clock_now() - start);
    }
    return FR_OK;
}
