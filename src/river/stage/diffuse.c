/* Backward Euler, solved for the change Δx of the values x at the centres:

     (J + κΔt A) Δx = −κΔt A x,

   so that the solver's tolerance is relative to the change, however small the step. Viscosity acts on the world
   components of the velocity at the centres. Only their change is interpolated to the fluxes: interpolating the whole
   velocity to the centres and back would smooth it. */
#include "river/stage/diffuse.h"

#include "grid/halo.h"
#include "grid/operators.h"
#include "river/stage/sides.h"

enum { DIFFUSE_LIMIT = 500 };
static const double DIFFUSE_TOLERANCE = 1e-5;

typedef struct diffuse_job {
    const river_model *m;
    river_state *s;
    tensor_solver *solver;
    const tensor *t;
    double number;           /* κ Δt, m² */
    const field *drag;       /* NULL: none */
    int spare;               /* first free scratch field */
    const char *what;
} diffuse_job;

typedef struct diffuse_rows {
    field *to;
    const field *x, *drag;
    float number;
} diffuse_rows;

static void diffuse_scale_rows(void *context, int begin, int end)
{
    const diffuse_rows *job = context;
    for (int r = begin; r < end; r++) {
        int j = r % job->to->size[1], k = r / job->to->size[1];
        float *restrict to = field_row(job->to, j, k);
        const float *restrict x = field_row(job->x, j, k), *restrict drag =
                                                               job->drag ? field_row(job->drag, j, k) : NULL;
        for (int i = 0; i < job->to->size[0]; i++)
            to[i] = job->number * (drag ? to[i] - drag[i] * x[i] : to[i]);
    }
}

/* Friction of a side on the component `axis` of the cells next to it, half a cell away. The matrix has the slope
   2 (u_side − u₁) there. The difference to the slope of a parabola through the side and two cells,
   (2 u_side − 3 u₁ + u₂)/3, is explicit, from the flow at the beginning of the step, `now`: a steady parabolic profile
   is then exact for any step. At least two thirds of the slope are implicit, so any step is stable. */
static void diffuse_add_side(const diffuse_job *job, int side, int axis, const field *now, field *right)
{
    const river_model *m = job->m;
    const river_frame f = river_frame_of(&m->curve.domain, side);
    int across = f.axis;
    ptrdiff_t inward = m->curve.domain.n[across] > 1 ? (side % 2 ? -1 : 1) * now->stride[across] : 0;
    for (int k = 0; k < f.n[1]; k++)
        for (int j = 0; j < f.n[0]; j++) {
            int cell[3], face[3];
            float own[3];
            river_beside(&m->curve.domain, side, j, k, cell, face);
            stage_river_sides_own(m, job->s, side, j + f.n[0] * k, own);
            const float *u = field_row(now, cell[1], cell[2]) + cell[0];
            float slope = 2 * own[axis] + (2 * own[axis] - 3 * u[0] + u[inward]) / 3;
            field_row(right, cell[1], cell[2])[cell[0]] +=
                (float)job->number * field_row(&job->t->weight[across], face[1], face[2])[face[0]] * slope;
        }
}

/* right = −κΔt A x, without the friction of sides. */
static void diffuse_right(const diffuse_job *job, field *x, field *right)
{
    field flow[3];
    const domain *d = &job->m->curve.domain;
    for (int k = 0; k < d->dims; k++) {
        flow[k] = river_scratch(job->m, job->s, job->spare + k, field_face(k));
        field_fill(&flow[k], 0);
    }
    tensor_add_flow(job->t, x, 1, flow);
    operators_divergence(d, flow, NULL, right);
    field_for_rows(right, diffuse_scale_rows, &(diffuse_rows){right, x, job->drag, (float)job->number});
}

/* Sets the solver's matrix. */
static fr_result diffuse_begin(const diffuse_job *job)
{
    field extra = river_scratch(job->m, job->s, job->spare, FR_AT_CELL);
    if (job->drag)
        field_blend(&extra, 1, &job->m->curve.volume, (float)job->number, job->drag);
    else
        field_copy(&extra, &job->m->curve.volume);
    return tensor_solver_set(job->solver, job->t, job->number, &extra);
}

static fr_result diffuse_solve(const diffuse_job *job, const field *right, field *change)
{
    solve_limits limits = {DIFFUSE_TOLERANCE, 0, DIFFUSE_LIMIT};
    field_fill(change, 0);
    solve_stats stats = tensor_solve(job->solver, right, change, &limits);
    job->s->now.traffic += stats.bytes;
    if (!stats.converged)
        return fr_fail(FR_ERROR_NUMERIC, "%s: the solver stopped at a residual of %.3g after %d iterations", job->what,
                       stats.residual, stats.iterations);
    return FR_OK;
}

typedef struct diffuse_faces {
    const field *change;     /* one per axis of the world */
    const field *face;
    field *flux;
    int dims;
} diffuse_faces;

static void diffuse_face_rows(void *context, int begin, int end)
{
    const diffuse_faces *job = context;
    ptrdiff_t back = job->change[0].stride[field_axis(job->flux)];
    for (int r = begin; r < end; r++) {
        int j = r % job->flux->size[1], k = r / job->flux->size[1];
        float *restrict to = field_row(job->flux, j, k);
        for (int a = 0; a < job->dims; a++) {
            const float *restrict change = field_row(&job->change[a], j, k), *restrict face =
                                                                                 field_row(&job->face[a], j, k);
            for (int i = 0; i < job->flux->size[0]; i++)
                to[i] += 0.5f * (change[i] + change[i - back]) * face[i];
        }
    }
}

fr_result stage_river_viscosity(const river_model *m, river_state *s, double dt)
{
    const int dims = m->curve.domain.dims;
    diffuse_job job = {m,
                       s,
                       s->viscous_solver,
                       &m->rough,
                       dt * m->fluid.viscosity,
                       m->drag.block ? &m->drag : NULL,
                       3 * dims + 1,
                       "viscosity"};
    field velocity[3], change[3], now[3], right = river_scratch(m, s, 3 * dims, FR_AT_CELL);
    for (int a = 0; a < dims; a++) {
        velocity[a] = river_scratch(m, s, a, FR_AT_CELL);
        change[a] = river_scratch(m, s, dims + a, FR_AT_CELL);
        now[a] = river_scratch(m, s, 2 * dims + a, FR_AT_CELL);
    }
    curve_velocity_on_cells(&m->curve, s->flux, now);
    stage_river_sides_close(m, s, s->next_flux);
    stage_river_sides_flux(m, s, s->next_flux);
    curve_velocity_on_cells(&m->curve, s->next_flux, velocity);
    FR_TRY(diffuse_begin(&job));
    for (int a = 0; a < dims; a++) {
        diffuse_right(&job, &velocity[a], &right);
        for (int side = 0; side < 2 * dims; side++)
            if (m->rough.sides[side] == TENSOR_FIXED)
                diffuse_add_side(&job, side, a, &now[a], &right);
        FR_TRY(diffuse_solve(&job, &right, &change[a]));
        halo_fill_even(&change[a], &m->curve.domain);
    }
    for (int k = 0; k < dims; k++)
        field_for_rows(&s->next_flux[k], diffuse_face_rows,
                       &(diffuse_faces){change, m->curve.face[k], &s->next_flux[k], dims});
    return FR_OK;
}

fr_result stage_river_diffuse(const river_model *m, river_state *s, double dt)
{
    for (int i = 0; i < m->scalar_count; i++) {
        if (!(m->scalars[i].diffusion > 0))
            continue;
        diffuse_job job = {m,    s, s->scalar_solver,  &m->still, dt * m->scalars[i].diffusion,
                           NULL, 2, m->scalars[i].name};
        field change = river_scratch(m, s, 0, FR_AT_CELL), right = river_scratch(m, s, 1, FR_AT_CELL);
        FR_TRY(diffuse_begin(&job));
        diffuse_right(&job, &s->next_scalars[i], &right);
        FR_TRY(diffuse_solve(&job, &right, &change));
        field_blend(&s->next_scalars[i], 1, &s->next_scalars[i], 1, &change);
    }
    return FR_OK;
}
