/* What the schemes that solve for the pressure share: where the solver starts, and what it leaves. */
#include <math.h>

#include "base/threads.h"
#include "sph/floating/floating.h"
#include "sph/parts.h"
#include "sph/pressure/bodies.h"
#include "sph/stage/loads.h"
#include "sph/stage/move.h"

typedef struct pressure_job {
    sph_state *s;
    float unit; /* of the unknowns: m²/s² for 1; and of the shifts, m/s for 1 */
} pressure_job;

static void pressure_begin(void *context, int begin, int end)
{
    const pressure_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        job->s->numbers[SPH_UNKNOWN][n] = job->s->fluid.pressure[n] / job->unit;
}

static void pressure_keep(void *context, int begin, int end)
{
    const pressure_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        job->s->next.pressure[n] = job->s->numbers[SPH_UNKNOWN][n] * job->unit;
}

/* Dry wall particles start from zero. */
static void pressure_begin_walls(void *context, int begin, int end)
{
    const pressure_job *job = context;
    sph_walls *w = &job->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++)
        w->unknown[b] = w->wet[b] > 0 ? w->unsorted.pressure[w->cells.order[b]] / job->unit : 0;
}

static void pressure_keep_walls(void *context, int begin, int end)
{
    const pressure_job *job = context;
    sph_walls *w = &job->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++)
        w->unsorted.next_pressure[w->cells.order[b]] = w->unknown[b] * job->unit;
}

static void pressure_push(void *context, int begin, int end)
{
    const pressure_job *job = context;
    sph_state *s = job->s;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++)
        for (int a = 0; a < 3; a++)
            s->next.velocity[n][a] += job->unit * s->vectors[SPH_SHIFT][n][a];
}

/* An excess of density is corrected over 1/RETURN of the time that the Courant number allows; gaps CLOSING as fast. */
static const double RETURN = 3, CLOSING = 0.02;

/* How much of a density that is not that at rest a step takes back: see sph/dfsph.c. */
static sph_recovery pressure_recovery(const sph_model *m, sph_state *s, double dt)
{
    double share = fmin(1, RETURN * dt / stage_sph_courant(m, s, stage_sph_max_speed(s)));
    return (sph_recovery){.excess = (float)share, .gap = (float)(CLOSING * share), .spray = (float)m->spray};
}

fr_result sph_pressure_predict(void *self)
{
    sph_step *step = self;
    step->recovery = pressure_recovery(step->m, step->s, step->dt);
    return FR_OK;
}

static double pressure_unit(const sph_model *m, double dt)
{
    return m->spacing * m->spacing / (dt * dt);
}

fr_result sph_pressure_solve(void *self)
{
    sph_step *step = self;
    const sph_model *m = step->m;
    sph_state *s = step->s;
    pressure_job last = {.s = s, .unit = (float)pressure_unit(m, step->dt)};
    threads_for(sph_blocks(s->fluid.count), pressure_begin, &last);
    if (s->walls.press)
        threads_for(sph_blocks(s->walls.count), pressure_begin_walls, &last);
    step->solve.dt = step->dt;
    step->solve.tolerance = m->sph.density_error;
    step->solve.recovery = &step->recovery;
    step->solve.most = m->sph.max_iterations;
    sph_solve_run(m, s, &step->solve);
    while (step->solve.converged && sph_bodies_turn(m, s, step->dt)) {
        FR_TRY(sph_pressure_predict(step));
        sph_solve_run(m, s, &step->solve);
    }
    return FR_OK;
}

void sph_pressure_keep_walls(const sph_model *m, sph_state *s, double dt)
{
    pressure_job job = {.s = s, .unit = (float)pressure_unit(m, dt)};
    if (s->walls.press)
        threads_for(sph_blocks(s->walls.count), pressure_keep_walls, &job);
}

fr_result sph_pressure_push(void *self)
{
    const sph_step *step = self;
    sph_state *s = step->s;
    pressure_job pressures = {.s = s, .unit = (float)pressure_unit(step->m, step->dt)},
                 shifts = {.s = s, .unit = (float)(step->m->spacing / step->dt)};
    threads_for(sph_blocks(s->fluid.count), pressure_keep, &pressures);
    sph_pressure_keep_walls(step->m, s, step->dt);
    threads_for(sph_blocks(s->fluid.count), pressure_push, &shifts);
    stage_sph_loads_add(step->m, s, step->dt);
    if (s->floating)
        sph_floating_take(step->m, s, step->dt);
    return FR_OK;
}

fr_result sph_pressure_report(void *self)
{
    const sph_step *step = self;
    const sph_solve *solve = &step->solve;
    fr_step_report *report = &step->s->now.report;
    report->pressure_iterations = solve->iterations;
    report->pressure_residual = solve->mean;
    if (solve->crowding > 5 * solve->tolerance)
        return fr_fail(
            FR_ERROR_NUMERIC,
            "the liquid has no surface to give way at and less room than it needs: it is %.3g %% too dense in "
            "the mean. Fill less of a closed box in which solids move or sources pour, or open a side",
            100 * solve->crowding);
    if (!solve->converged)
        return fr_fail(FR_ERROR_NUMERIC,
                       "the pressure is off by %.3g %% after %d iterations, densities by %.3g %% in the mean",
                       100 * solve->error, solve->iterations, 100 * solve->mean);
    return FR_OK;
}
