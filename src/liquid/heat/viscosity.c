/* Viscosity of the liquid: what it is in each cell, and how it acts on the flow. */
#include "grid/halo.h"
#include "liquid/liquid.h"
#include "mac/stage/diffuse.h"
#include "mac/stage/walls.h"

typedef struct viscosity_job {
    const liquid_model *m;
    const field *temperature;
    field *to;
} viscosity_job;

static void viscosity_melt_rows(void *context, int begin, int end)
{
    const viscosity_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->to->size[1], k = r / job->to->size[1];
        const float *t = field_row(job->temperature, j, k);
        float *to = field_row(job->to, j, k);
        for (int i = 0; i < job->to->size[0]; i++)
            to[i] = (float)melt_viscosity(&job->m->melt, (double)t[i]);
    }
}

void liquid_viscosity_find(liquid_run *run)
{
    viscosity_job job = {.m = &run->model,
                         .temperature = &run->flow.state->scalars[run->flow.model->temperature],
                         .to = &run->liquid.viscosity};
    field_for_rows(job.to, viscosity_melt_rows, &job);
    halo_fill_even(job.to, &run->flow.model->domain);
}

fr_result liquid_viscosity(void *self)
{
    const liquid_step *step = self;
    const model *m = step->flow.m;
    state *s = step->flow.s;
    stress *solver = step->run->liquid.stress;
    if (!solver)
        return FR_OK;
    halo_side sides[3][6];
    uint8_t *const *of = step->run->liquid.held[0] ? step->run->liquid.held : s->solids.face_marks;
    const uint8_t *marks[3] = {of[0], of[1], of[2]};
    stress_problem problem = {.dt = step->flow.dt,
                              .viscosity = m->fluid.viscosity,
                              .viscosities = step->run->liquid.viscosity.data ? &step->run->liquid.viscosity : NULL,
                              .form = m->solver.stress == FR_STRESS_FULL ? STRESS_FULL : STRESS_LAPLACIAN,
                              .surface = s->surface,
                              .marks = marks[0] ? marks : NULL,
                              .distance = s->solids.any ? &s->solids.distance : NULL,
                              .sides = (const halo_side(*)[6])sides};
    for (int a = 0; a < m->domain.dims; a++)
        stage_walls_velocity_rules(m, s, a, sides[a]);
    liquid_layers_thicken(step->run, step->flow.dt);
    for (int side = 0; side < 2 * m->domain.dims; side++) {
        problem.layers[side] = step->run->liquid.layers[side];
        problem.fixed_sides[side] = m->walls[side].kind != FR_WALL_OPEN;
    }
    stage_stick(m, s);
    stress_set(solver, &problem);
    solve_limits limits = {1e-4, 0, m->solver.max_iterations};
    solve_stats stats = stress_solve(solver, s->next_velocity, &limits);
    if (!stats.converged)
        return fr_fail(FR_ERROR_NUMERIC, "the viscosity did not converge: residual %.2g after %d iterations",
                       stats.residual, stats.iterations);
    stage_walls_velocity(m, s, s->next_velocity);
    return FR_OK;
}
