#include "mac/stage/move.h"

#include <math.h>

#include "mac/coupling/coupling.h"
#include "mac/stage/pressure.h"

fr_result stage_move(const model *m, state *s, double from, double to)
{
    bool changed;
    FR_TRY(bodies_move(&s->bodies, from, to));
    if (s->coupling)
        coupling_lay(s->coupling, &s->bodies);
    FR_TRY(solids_move(&s->solids, &s->bodies, &changed));
    if (changed)
        stage_pressure_prepare(m, s);
    for (int g = 1; g < m->grid_count; g++)
        FR_TRY(solids_move(&s->fine[g - 1].solids, &s->bodies, &changed));
    return FR_OK;
}

fr_result stage_move_bodies(const model *m, state *s)
{
    if (s->coupling)
        coupling_drift(s->coupling, s->now.end - s->now.time);
    FR_TRY(stage_move(m, s, s->now.time, s->now.end));
    return s->coupling ? coupling_kick(m, s) : FR_OK;
}

/* The distance is not proportional to the time, so the step is corrected a few times. For an obstacle that jumps no
   step is short enough: a thousandth of a frame is the least. */
fr_result stage_move_limit(const model *m, const state *s, double *dt)
{
    enum { CORRECTIONS = 20 };
    double most = fmin(1, m->cfl), least = fmin(*dt, 1e-3 / m->fps);
    for (int i = 0; i < CORRECTIONS && s->solids.moving; i++) {
        double cells;
        FR_TRY(solids_travel(&s->solids, s->now.time, s->now.time + *dt, &cells));
        if (cells <= most * (1 + 1e-6) || *dt <= least)
            break;
        *dt = fmax(least, *dt * most / cells);
    }
    if (s->coupling)
        coupling_limit(s->coupling, most * domain_min_h(&m->domain), dt);
    return FR_OK;
}
