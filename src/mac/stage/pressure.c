/* Projection on the staggered grid (Chorin 1968; Macêdo 4.1.7; Marschner). The system is that of grid/projection.h, its
   right-hand side −(ρ/Δt) V ∇·ũ with V ∇·ũ = Σ A (w ũ + (1 − w) u_wall)·n, w the open share of a face: solid sides and
   obstacles let nothing through (Neumann) and push what they sweep (Batty, Bertails & Bridson 2007). */
#include "mac/stage/pressure.h"

#include <float.h>
#include <math.h>

#include "base/threads.h"
#include "grid/operators.h"
#include "mac/coupling/coupling.h"
#include "mac/stage/squeeze.h"
#include "mac/stage/walls.h"

static const field *pressure_surface(const state *s)
{
    return s->pressure_surface ? s->pressure_surface : s->surface;
}

void stage_pressure_prepare(const model *m, state *s)
{
    if (!s->projection)
        return;
    field work = state_scratch(m, s, 0, FR_AT_CELL);
    const field *open = s->solids.any ? s->solids.open : NULL;
    projection_geometry g = {.open = s->ease ? s->ease : open, .surface = pressure_surface(s)};
    for (int side = 0; side < 2 * m->domain.dims; side++)
        g.open_side[side] = m->walls[side].kind == FR_WALL_OPEN;
    projection_build(s->projection, &g, &work);
}

typedef struct pressure_job {
    field *f;
    float scale;
    double *largest; /* of each row, before it is scaled */
} pressure_job;

static void pressure_scale_rows(void *context, int begin, int end)
{
    const pressure_job *job = context;
    for (int r = begin; r < end; r++) {
        float *restrict row = field_row(job->f, r % job->f->size[1], r / job->f->size[1]);
        job->largest[r] = field_largest_in(row, job->f->size[0], 0);
        for (int i = 0; i < job->f->size[0] && job->scale != 1; i++)
            row[i] *= job->scale;
    }
}

typedef struct pressure_sum {
    field *to;
    const field *from;
    float factor;
    ptrdiff_t back;          /* 0: to += factor·from; else the difference to the sample that far back */
} pressure_sum;

static void pressure_sum_rows(void *context, int begin, int end)
{
    const pressure_sum *sum = context;
    for (int r = begin; r < end; r++) {
        int j = r % sum->to->size[1], k = r / sum->to->size[1];
        float *restrict to = field_row(sum->to, j, k);
        const float *restrict from = field_row(sum->from, j, k);
        for (int i = 0; i < sum->to->size[0]; i++)
            to[i] += sum->factor * (sum->back ? from[i] - from[i - sum->back] : from[i]);
    }
}

/* The faces on the sides need nothing of their own: ghosts of the pressure mirror it at walls, and are its negative
   beyond open sides. */
void stage_pressure_push(const model *m, const field *pressure, field velocity[3], double dt)
{
    for (int a = 0; a < m->domain.dims; a++) {
        pressure_sum sum = {&velocity[a], pressure, (float)(-dt / (m->fluid.density * m->domain.h[a])),
                            pressure->stride[a]};
        field_for_rows(sum.to, pressure_sum_rows, &sum);
    }
}

typedef struct pressure_ease {
    const field *ease, *open; /* one per axis; no obstacles: NULL */
} pressure_ease;

/* β of a face with an obstacle or without. */
static inline float pressure_beta(float ease, float open) { return ease > 0 ? ease / open : 1; }

static inline float pressure_take(float u, float beta, bool off) { return off ? u * beta : u / beta; }

static inline void pressure_scale_row(const pressure_ease *job, const projection_row *row, bool off)
{
    const int n = job->ease[row->axis].size[0];
    const float *restrict ease = field_row(&job->ease[row->axis], row->j, row->k);
    const float *restrict open = job->open ? field_row(&job->open[row->axis], row->j, row->k) : NULL;
    float *restrict u = row->u;
    for (int i = 0; i < n && open; i++)
        u[i] = pressure_take(u[i], pressure_beta(ease[i], open[i]), off);
    for (int i = 0; i < n && !open; i++)
        u[i] = pressure_take(u[i], ease[i], off);
}

/* u/β before the gradient is added and β u after it: then it counts β times. */
static void pressure_ease_row(void *context, const projection_row *row) { pressure_scale_row(context, row, false); }
static void pressure_ease_off_row(void *context, const projection_row *row) { pressure_scale_row(context, row, true); }

/* u = ũ − (Δt/ρ) ∇p. Where there is air nothing reads ghosts before the velocity has been extended into it and the
   pressure has been accepted, which fills them. */
static void pressure_correct(const model *m, state *s, const field *solution, double dt)
{
    pressure_ease job = {.ease = s->ease, .open = s->solids.any ? s->solids.open : NULL};
    projection_rows rows = {pressure_ease_row, pressure_ease_off_row, &job};
    projection_correct_rows(s->projection, &(projection_step){solution, dt, m->fluid.density}, s->ease ? &rows : NULL,
                            s->next_velocity);
    if (solution != &s->next_pressure) {
        pressure_sum sum = {&s->next_pressure, solution, 1, 0};
        field_for_rows(sum.to, pressure_sum_rows, &sum);
    }
    if (s->surface) {
        stage_walls_normal(m, s, s->next_velocity);
        return;
    }
    stage_walls_pressure(m, &s->next_pressure);
    stage_walls_velocity(m, s, s->next_velocity);
}

/* One solve of the system, with all that goes into it. */
typedef struct pressure_solve {
    pressure_kind kind;
    double dt, scale;       /* s; of the right-hand side, ρ V/Δt */
    field b, *x;
    double rounding;        /* 1/s, of the divergence */
    solve_stats stats;
} pressure_solve;

static void pressure_ask(const model *m, state *s, pressure_solve *job, bool goes_on)
{
    /* a fifth is left for the rounding of the velocities to float */
    solve_limits limits = {0.8 * m->solver.pressure_tolerance, job->rounding * job->scale, m->solver.max_iterations};
    projection_task task = {
        .solver = m->solver.pressure == FR_PRESSURE_CG ? PROJECTION_CG : PROJECTION_MULTIGRID,
        .b = &job->b, .guess = job->x == &s->next_pressure ? &s->pressure : NULL, .goes_on = goes_on,
        .limits = &limits};
    const int before = job->stats.iterations;
    job->stats = projection_solve(s->projection, &task, job->x);
    job->stats.iterations += before;
}

/* Σ max|u_a|/h_a of the whole flow. */
static double pressure_fastest(const model *m, state *s)
{
    double fastest = 0;
    for (int a = 0; a < m->domain.dims; a++)
        fastest += field_largest(&s->next_velocity[a], 0, s->partial) / m->domain.h[a];
    return fastest;
}

/* What rounding leaves of the divergence whatever the pressure is: a few ulps of |u|/h. */
static double pressure_rounding(double fastest) { return 2 * FLT_EPSILON * fastest; }

/* The solver takes the mean of a closed pocket off its right-hand side. Where it was not 0, something flows into the
   pocket and cannot leave it, and no pressure helps. `divergence` is what is left. */
static fr_result pressure_check(const model *m, state *s, double rounding, field *divergence)
{
    const fr_step_report *report = &s->now.report;
    double noise = 1e3 * rounding, left = report->max_divergence;
    if (s->solids.moving && left > 100 * m->solver.pressure_tolerance * report->initial_divergence + noise)
        return stage_squeeze_check(m, s, divergence);
    if (left > 1e-2 * report->initial_divergence + noise)
        return fr_fail_key("walls",
                           "walls: at t = %g s a divergence of %.3g 1/s cannot be removed: an inflow or a source of "
                           "flow feeds a part of the "
                           "domain that has no way out; open a side there, or clear the way",
                           s->now.time, report->max_divergence);
    return FR_OK;
}

typedef struct pressure_walls {
    const domain *d;
    const solids *solid;
    field *out;
} pressure_walls;

/* Adds what walls push out of the cells of a row, the flux (1 − w) u_wall. Cells without an open face take no part. */
static void pressure_add_walls(void *context, int j, int k, const int span[2])
{
    const pressure_walls *job = context;
    float *out = field_row(job->out, j, k);
    for (int i = span[0]; i < span[1]; i++) {
        float pushed = 0, open = 0;
        for (int a = 0; a < job->d->dims; a++) {
            ptrdiff_t next = job->solid->open[a].stride[a];
            const float *w = field_row(&job->solid->open[a], j, k) + i, *u = field_row(&job->solid->wall[a], j, k) + i;
            pushed += (float)(1 / job->d->h[a]) * ((1 - w[next]) * u[next] - (1 - w[0]) * u[0]);
            open += w[0] + w[next];
        }
        out[i] = open > 0 ? out[i] + pushed : 0;
    }
}

typedef struct pressure_mask {
    const field *surface;
    field *f;
} pressure_mask;

/* Nothing outside the liquid. */
static void pressure_mask_row(void *context, int j, int k, const int span[2])
{
    const pressure_mask *job = context;
    const float *restrict phi = field_row(job->surface, j, k);
    float *restrict row = field_row(job->f, j, k);
    for (int i = span[0]; i < span[1]; i++)
        row[i] = phi[i] < 0 ? row[i] : 0;
}

/* What is found with the divergence: the largest, and how fast the liquid is, Σ |u_a|/h_a (0 without a surface). */
typedef struct pressure_found {
    double largest, fastest;
} pressure_found;

/* scale·∇·u. Walls push only around obstacles that move. */
static pressure_found pressure_divergence(const model *m, const state *s, const field velocity[3], float scale,
                                          field *out)
{
    const solids *solid = &s->solids;
    const bool pushed = solid->box_count > 0;
    const int rows = field_rows(out);
    const field *surface = s->surface ? pressure_surface(s) : NULL;
    operators_flow flow = {.velocity = velocity, .open = solid->any ? solid->open : NULL, .inside = surface,
                           .scale = pushed ? 1 : scale, .largest = s->partial,
                           .fastest = surface ? s->partial + rows : NULL};
    operators_divergence_of(&m->domain, &flow, out);
    pressure_found found = {.largest = threads_max(s->partial, rows),
                            .fastest = surface ? threads_max(s->partial + rows, rows) : 0};
    if (!pushed)
        return found;
    pressure_walls job = {&m->domain, solid, out};
    region moving = {&m->domain, solid->boxes, solid->box_count};
    region_for_rows(&moving, out, true, pressure_add_walls, &job);
    solids_pass_on(solid, out);
    if (surface)
        region_for_rows(&moving, out, true, pressure_mask_row, &(pressure_mask){surface, out});
    field_for_rows(out, pressure_scale_rows, &(pressure_job){out, scale, s->partial});
    found.largest = threads_max(s->partial, rows);
    return found;
}

void stage_divergence(const model *m, const state *s, const field velocity[3], field *out)
{
    pressure_divergence(m, s, velocity, 1, out);
}

void stage_pressure_measure(const model *m, state *s)
{
    field divergence = state_scratch(m, s, 0, FR_AT_CELL);
    s->now.report.max_divergence = pressure_divergence(m, s, s->next_velocity, 1, &divergence).largest;
}

/* `b` is the right-hand side of the solve, −(ρ/Δt) V ∇·ũ. */
static void pressure_add_friction(const model *m, state *s, const field *b, double friction)
{
    pressure_sum sum = {&s->next_pressure, b,
                        (float)(m->fluid.viscosity * friction / domain_cell_volume(&m->domain)), 0};
    field_for_rows(sum.to, pressure_sum_rows, &sum);
    stage_walls_pressure(m, &s->next_pressure);
}

static void pressure_load(const model *m, state *s, pressure_solve *job)
{
    pressure_found found = pressure_divergence(m, s, s->next_velocity, (float)-job->scale, &job->b);
    job->rounding = pressure_rounding(s->surface ? found.fastest : pressure_fastest(m, s));
    s->now.report.initial_divergence = found.largest;
}

/* With bodies it is solved again, from the answer that it had, as long as what holds them changes. */
static void pressure_solve_with(const model *m, state *s, pressure_solve *job)
{
    bool again = false;
    do {
        if (s->coupling)
            coupling_join(m, s);
        pressure_load(m, s, job);
        pressure_ask(m, s, job, again);
        again = s->coupling && coupling_take(m, s, job->dt);
    } while (again && job->stats.converged);
}

static fr_result pressure_report(const model *m, state *s, const pressure_solve *job)
{
    const domain *d = &m->domain;
    const solve_stats *stats = &job->stats;
    s->now.report.pressure_iterations += stats->iterations;
    /* besides the solver: the divergence twice, the velocity's largest value, its correction from x in double */
    s->now.traffic +=
        stats->bytes + sizeof(float) * (double)domain_cells(d) * (2 * (d->dims + 1) + d->dims + d->dims * (2 + 2));
    /* relative to the divergence that was there, or to what rounding makes of it where that is more */
    double floor = job->rounding / m->solver.pressure_tolerance;
    double residual = stats->residual * fmin(1, s->now.report.initial_divergence / fmax(floor, DBL_MIN));
    s->now.report.pressure_residual = fmax(s->now.report.pressure_residual, residual);
    if (stats->converged)
        return FR_OK;
    return fr_fail(FR_ERROR_NUMERIC,
                   "the pressure did not converge: residual %.2g after %d iterations (asked: %.2g)", stats->residual,
                   stats->iterations, m->solver.pressure_tolerance);
}

fr_result stage_pressure(const model *m, state *s, double dt, pressure_kind kind, double friction)
{
    pressure_solve job = {
        .kind = kind, .dt = dt, .scale = m->fluid.density / dt * domain_cell_volume(&m->domain),
        .b = state_scratch(m, s, 0, FR_AT_CELL)};
    field change = state_scratch(m, s, 1, FR_AT_CELL);
    job.x = kind == PRESSURE_CHANGE ? &change : &s->next_pressure;
    pressure_solve_with(m, s, &job);
    FR_TRY(pressure_report(m, s, &job));
    pressure_correct(m, s, job.x, dt);
    if (kind == PRESSURE_CHANGE && m->viscous)
        pressure_add_friction(m, s, &job.b, friction);
    stage_pressure_measure(m, s);
    return pressure_check(m, s, job.rounding, &job.b);
}
