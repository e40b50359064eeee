/* What the schemes that solve for the pressure share: where the solver starts, and what it leaves. */
#include <math.h>

#include "base/threads.h"
#include "sph/parts.h"
#include "sph/stage/loads.h"
#include "sph/stage/move.h"

typedef struct pressure_job {
    sph_state *s;
    const float *from;       /* pressures, m²/s² */
    float *to;
    float unit;              /* of the unknowns: m²/s² for 1; and of the shifts, m/s for 1 */
} pressure_job;

static void pressure_begin(void *context, int begin, int end)
{
    const pressure_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        job->s->unknown[n] = job->from[n] / job->unit;
}

static void pressure_keep(void *context, int begin, int end)
{
    const pressure_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        job->to[n] = job->s->unknown[n] * job->unit;
}

/* Wall particles out of the liquid forget what they bore. */
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
            s->next.velocity[n][a] += job->unit * s->shift[n][a];
}

/* Times that an excess could be taken back in the time that the Courant number allows; and the share of that at which
 * gaps close. */
static const double RETURN = 3, CLOSING = 0.02;

sph_recovery sph_recovery_of(const sph_model *m, const sph_state *s, double dt)
{
    double share = fmin(1, RETURN * dt / stage_sph_courant(m, s, stage_sph_max_speed(s)));
    return (sph_recovery){.excess = (float)share, .gap = (float)(CLOSING * share), .inside = m->dims == 3 ? 20 : 7};
}

static double pressure_unit(const sph_model *m, double dt) { return m->spacing * m->spacing / (dt * dt); }

void sph_pressure_begin(const sph_model *m, sph_state *s, double dt, const float *last)
{
    pressure_job job = {.s = s, .from = last, .unit = (float)pressure_unit(m, dt)};
    threads_for(sph_blocks(s->fluid.count), pressure_begin, &job);
    if (s->walls.press)
        threads_for(sph_blocks(s->walls.count), pressure_begin_walls, &job);
}

void sph_pressure_keep_walls(const sph_model *m, sph_state *s, double dt)
{
    pressure_job job = {.s = s, .unit = (float)pressure_unit(m, dt)};
    if (s->walls.press)
        threads_for(sph_blocks(s->walls.count), pressure_keep_walls, &job);
}

void sph_pressure_finish(const sph_model *m, sph_state *s, double dt, float *keep)
{
    pressure_job pressures = {.s = s, .to = keep, .unit = (float)pressure_unit(m, dt)},
                 shifts = {.s = s, .unit = (float)(m->spacing / dt)};
    threads_for(sph_blocks(s->fluid.count), pressure_keep, &pressures);
    sph_pressure_keep_walls(m, s, dt);
    threads_for(sph_blocks(s->fluid.count), pressure_push, &shifts);
    stage_sph_loads_add(m, s, dt);
}

fr_result sph_pressure_report(const sph_model *m, sph_state *s, const sph_solve *solve)
{
    double asked = m->def->sph.density_error;
    s->now.report.pressure_iterations = solve->iterations;
    s->now.report.pressure_residual = solve->mean;
    if (!(solve->mean <= 10 * asked))
        return fr_fail(FR_ERROR_NUMERIC,
                       "the density is %.3g %% too high in the mean after %d iterations, where %.3g %% are asked for",
                       100 * solve->mean, solve->iterations, 100 * asked);
    return FR_OK;
}

static void pressure_copy_velocity(void *context, int begin, int end)
{
    sph_state *s = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++)
        for (int a = 0; a < 4; a++)
            s->next.velocity[n][a] = s->fluid.velocity[n][a];
}

void sph_keep_velocity(sph_state *s) { threads_for(sph_blocks(s->fluid.count), pressure_copy_velocity, s); }
