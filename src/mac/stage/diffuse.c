#include "mac/stage/diffuse.h"

#include <float.h>
#include <math.h>

#include "mac/coupling/coupling.h"
#include "mac/coupling/warmth.h"
#include "mac/stage/walls.h"

static const double DIFFUSE_TOLERANCE = 1e-7;

/* `scale` is the largest value around: residuals below its rounding are noise. */
static fr_result diffuse_field(const model *m, diffusion *solver, field *f, const diffusion_problem *problem,
                               const char *what, double scale)
{
    solve_limits limits = {DIFFUSE_TOLERANCE, FLT_EPSILON * scale, m->solver.max_iterations};
    solve_stats stats = diffusion_solve(solver, f, problem, &limits);
    if (!stats.converged)
        return fr_fail(FR_ERROR_NUMERIC, "the diffusion of %s did not converge: residual %.2g after %d iterations",
                       what, stats.residual, stats.iterations);
    return FR_OK;
}

/* Samples that obstacles hold at their velocity or temperature, those of partly open faces and cells included. */
typedef struct diffuse_hold_job {
    const model *m;
    const state *s;
    field *f;
    const uint8_t *marks;
} diffuse_hold_job;

static void diffuse_hold_rows(void *context, int begin, int end)
{
    const diffuse_hold_job *job = context;
    for (int r = begin; r < end; r++) {
        int j = r % job->f->size[1], k = r / job->f->size[1];
        float *row = field_row(job->f, j, k);
        const uint8_t *marks = job->marks + (row - job->f->block);
        for (int i = 0; i < job->f->size[0]; i++) {
            if (marks[i] != DIFFUSION_FIXED)
                continue;
            int owner = solids_owner(&job->s->solids, &job->m->domain, job->f, (int[3]){i, j, k});
            row[i] = job->f->at == FR_AT_CELL
                         ? (float)job->s->bodies.of[owner].temperature
                         : (float)solids_wall_beside(&job->s->solids, field_axis(job->f), (int[3]){i, j, k}, 0, 0);
        }
    }
}

static void diffuse_hold(const model *m, const state *s, field *f, const uint8_t *marks)
{
    diffuse_hold_job job = {m, s, f, marks};
    field_for_rows(f, diffuse_hold_rows, &job);
}

void stage_stick(const model *m, state *s)
{
    for (int a = 0; a < m->domain.dims && m->viscous && s->solids.any; a++)
        diffuse_hold(m, s, &s->next_velocity[a], s->solids.face_marks[a]);
}

/* For the velocity of no-slip obstacles where the link from a fluid face to one inside meets their surface. */
typedef struct diffuse_surface {
    const solids *solids;
    int axis;
} diffuse_surface;

static double diffuse_held(const void *context, const int fixed[3], int axis, double shift)
{
    const diffuse_surface *surface = context;
    return solids_wall_beside(surface->solids, surface->axis, fixed, axis, shift);
}

fr_result stage_stress_problem(const model *m, state *s, double dt, halo_side sides[3][6], stress_problem *out)
{
    for (int a = 0; a < m->domain.dims; a++)
        stage_walls_velocity_rules(m, s, a, sides[a]);
    *out = (stress_problem){.dt = dt,
                            .viscosity = m->fluid.viscosity,
                            .surface = s->surface,
                            .distance = s->solids.any ? &s->solids.distance : NULL,
                            .sides = (const halo_side(*)[6])sides};
    for (int side = 0; side < 2 * m->domain.dims; side++)
        out->fixed_sides[side] = m->walls[side].kind != FR_WALL_OPEN;
    stage_stick(m, s);
    return s->coupling ? coupling_stick(m, s, &out->solids) : FR_OK;
}

/* With what rigid bodies gain as part of the system: it is as stable as the viscosity alone, and momentum is kept. */
static fr_result diffuse_with_bodies(const model *m, state *s, double dt)
{
    static const double tolerance = 1e-5;
    const uint8_t *const marks[3] = {s->solids.face_marks[0], s->solids.face_marks[1], s->solids.face_marks[2]};
    halo_side sides[3][6];
    stress_problem problem;
    coupling_bring(s);
    FR_TRY(stage_stress_problem(m, s, dt, sides, &problem));
    problem.marks = marks;
    stress_set(s->stress, &problem);
    const solve_limits limits = {tolerance, 0, m->solver.max_iterations};
    const solve_stats stats = stress_solve(s->stress, s->next_velocity, &limits);
    if (!stats.converged)
        return fr_fail(FR_ERROR_NUMERIC, "the viscosity did not converge: residual %.2g after %d iterations",
                       stats.residual, stats.iterations);
    coupling_feel(m, s);
    stage_walls_velocity(m, s, s->next_velocity);
    return FR_OK;
}

fr_result stage_viscosity(const model *m, state *s, double dt)
{
    static const char *const names[3] = {"u", "v", "w"};
    double speed = 0;
    if (s->stress)
        return diffuse_with_bodies(m, s, dt);
    stage_stick(m, s);
    for (int a = 0; a < m->domain.dims; a++)
        speed = fmax(speed, field_largest(&s->next_velocity[a], 0, s->partial));
    for (int a = 0; a < m->domain.dims; a++) {
        halo_side sides[6];
        stage_walls_velocity_rules(m, s, a, sides);
        diffusion_problem problem = {.number = m->fluid.viscosity * dt,
                                     .sides = sides,
                                     .marks = s->solids.face_marks[a],
                                     .distance = s->solids.any ? &s->solids.distance : NULL};
        diffuse_surface surface = {&s->solids, a};
        if (s->solids.moving) {
            problem.held = diffuse_held;
            problem.held_context = &surface;
        }
        for (int side = 2 * a; side < 2 * a + 2; side++)
            problem.fixed_sides[side] = m->walls[side].kind != FR_WALL_OPEN;
        FR_TRY(diffuse_field(m, s->diffusion, &s->next_velocity[a], &problem, names[a], speed));
    }
    stage_walls_velocity(m, s, s->next_velocity);
    return FR_OK;
}

fr_result stage_diffuse_scalar(const model *m, state *s, const diffuse_task *task)
{
    const model_scalar *scalar = &m->scalars[task->scalar];
    field *f = &s->next_scalars[task->scalar];
    const solids *solids = state_solids(s, scalar->grid);
    const field *open[3] = {&solids->open[0], &solids->open[1], &solids->open[2]};
    halo_side sides[6];
    stage_walls_scalar_rules(m, s, task->scalar, sides);
    diffusion_problem problem = {.number = task->diffusivity * task->dt,
                                 .sides = sides,
                                 .weights = solids->any ? open : NULL,
                                 .volume = solids->any ? &solids->volume : NULL,
                                 .capacity = task->capacity,
                                 .conductance = task->conductance,
                                 .marks = task->marks,
                                 .distance = solids->any ? &solids->distance : NULL};
    problem.insulated = !task->warm && !task->gains;
    for (int side = 0; side < 2 * m->domain.dims; side++)
        problem.insulated = problem.insulated && sides[side].kind != HALO_VALUE;
    if (task->warm)
        diffuse_hold(m, s, f, problem.marks);
    if (task->split) {
        diffusion_solve_along(state_diffusion(s, scalar->grid), f, &problem, task->axis);
        return FR_OK;
    }
    double size = field_largest(f, 0, s->partial);
    return diffuse_field(m, state_diffusion(s, scalar->grid), f, &problem, scalar->name, size);
}

fr_result stage_diffuse_scalars(const model *m, state *s, double dt, int except)
{
    for (int i = 0; i < m->scalar_count; i++) {
        const solids *solids = state_solids(s, m->scalars[i].grid);
        const bool warm = i == m->temperature && solids->warm_marks;
        const uint8_t *marks = s->dry_marks ? s->dry_marks : warm ? solids->warm_marks : solids->cell_marks;
        diffuse_task task = {
            .scalar = i, .dt = dt, .diffusivity = m->scalars[i].diffusion, .marks = marks, .warm = warm};
        if (i != except && m->scalars[i].varies && m->scalars[i].diffusion > 0)
            FR_TRY(stage_diffuse_scalar(m, s, &task));
        if (warm && s->coupling && i != except && m->scalars[i].grid == 0 && m->scalars[i].diffusion > 0)
            coupling_warm(m, s,
                          &(warmth_task){.temperature = &s->next_scalars[i],
                                         .marks = marks,
                                         .number = m->scalars[i].diffusion * dt,
                                         .capacity = m->heat_capacity});
    }
    return FR_OK;
}
