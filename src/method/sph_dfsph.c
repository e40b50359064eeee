/* Divergence-free SPH (Bender & Koschier 2015, 2017): first the velocities are made free of divergence, then forces act, then the
   density at the step's end is brought back to that at rest. Both solves start from what they found in the last step. */

#include "base/clock.h"
#include "base/threads.h"
#include "method/sph_parts.h"
#include "stage/sph_force.h"
#include "stage/sph_loads.h"
#include "stage/sph_solve.h"

typedef struct dfsph_job {
    const sph_model *m;
    sph_state *s;
    const float *from;       /* pressures, m²/s² */
    float *to;
    float unit;              /* of the unknowns: m²/s² for 1; and of the shifts, m/s for 1 */
} dfsph_job;

static void dfsph_begin(void *context, int begin, int end)
{
    const dfsph_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        job->s->unknown[n] = job->from[n] / job->unit;
}

static void dfsph_keep(void *context, int begin, int end)
{
    const dfsph_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        job->to[n] = job->s->unknown[n] * job->unit;
}

static void dfsph_push(void *context, int begin, int end)
{
    const dfsph_job *job = context;
    sph_state *s = job->s;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++)
        for (int a = 0; a < 3; a++)
            s->next.velocity[n][a] += job->unit * s->shift[n][a];
}

/* Where there are too few neighbours, at a surface or in spray, a density that falls is no fault of the flow. */
static void dfsph_mask(void *context, int begin, int end)
{
    const dfsph_job *job = context;
    sph_state *s = job->s;
    int fewest = job->m->dims == 3 ? 20 : 7;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        int number = s->pairs.number[n] + (s->walls.count ? s->wall_pairs.number[n] : 0);
        if (number < fewest)
            s->source[n] = s->unknown[n] = 0;
    }
}

/* Solves for the prediction in s->source; adds what it does to next.velocity, and its pressures to `keep`. */
static void dfsph_solve(const sph_model *m, sph_state *s, double dt, const float *last, float *keep, sph_solve *solve)
{
    int blocks = sph_blocks(s->fluid.count);
    dfsph_job job = {.m = m, .s = s, .from = last, .to = keep, .unit = (float)(m->spacing * m->spacing / (dt * dt))};
    threads_for(blocks, dfsph_begin, &job);
    if (keep == s->next.push)
        threads_for(blocks, dfsph_mask, &job);
    stage_sph_solve(s, solve);
    threads_for(blocks, dfsph_keep, &job);
    job.unit = (float)(m->spacing / dt);
    threads_for(blocks, dfsph_push, &job);
    stage_sph_loads_add(m, s, dt);
}

static void dfsph_copy_velocity(void *context, int begin, int end)
{
    sph_state *s = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++)
        for (int a = 0; a < 4; a++)
            s->next.velocity[n][a] = s->fluid.velocity[n][a];
}

fr_result sph_step_dfsph(const sph_model *m, sph_state *s, double dt, timing *t)
{
    const fr_sph_def *sph = &m->def->sph;
    double start = clock_now();
    stage_sph_loads_clear(m, s);
    threads_for(sph_blocks(s->fluid.count), dfsph_copy_velocity, s);
    sph_solve divergence = {.tolerance = sph->density_error, .least = 1, .most = sph->max_iterations};
    divergence.source = stage_sph_predict(m, s, s->next.velocity, dt, false);
    dfsph_solve(m, s, dt, s->fluid.push, s->next.push, &divergence);
    start = timing_add(t, "divergence", start);
    FR_TRY(stage_sph_force(m, s, dt, s->now.time + dt / 2));
    start = timing_add(t, "force", start);
    sph_solve density = {.tolerance = sph->density_error, .least = 2, .most = sph->max_iterations};
    density.source = stage_sph_predict(m, s, s->next.velocity, dt, true);
    dfsph_solve(m, s, dt, s->fluid.pressure, s->next.pressure, &density);
    timing_add(t, "density", start);
    s->now.report.pressure_iterations = density.iterations;
    s->now.report.pressure_residual = density.mean;
    if (!(density.mean <= 10 * sph->density_error))
        return fr_fail(FR_ERROR_NUMERIC, "the density is %.3g %% too high in the mean after %d iterations, where %.3g %% are asked for", 100 * density.mean,
                       density.iterations, 100 * sph->density_error);
    return FR_OK;
}
