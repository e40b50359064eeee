#include "liquid/swarm/straight.h"

#include "grid/operators.h"
#include "liquid/surface_cells.h"

/* Relative residual of the solve: 1e-3 gives no other figures. */
static const double STRAIGHT_TOLERANCE = 0.1;

/* So many cells from obstacles, slopes of u read none of the faces that these cut. */
static const double STRAIGHT_CLEAR = 2;

typedef struct straight_job {
    const domain *d;
    const field *velocity; /* faces, ghosts filled */
    const field *solid;    /* NULL: there are no obstacles */
    field *source;
    float scale, clear; /* of tr (∇u)², m³ s; m */
} straight_job;

/* (∂u_a/∂x_a)² of a row, added up. */
static void straight_add_squares(const straight_job *job, const int row[2], float *restrict to)
{
    for (int a = 0; a < job->d->dims; a++) {
        const field *f = &job->velocity[a];
        const float *restrict low = field_row(f, row[0], row[1]), *restrict high = low + f->stride[a];
        const float scale = (float)(1 / job->d->h[a]);
        for (int i = 0; i < job->source->size[0]; i++) {
            float slope = scale * (high[i] - low[i]);
            to[i] = a ? to[i] + slope * slope : slope * slope;
        }
    }
}

/* 2 ∂u_b/∂x_a ∂u_a/∂x_b of a row: the two parts of the curl. */
static void straight_add_products(const straight_job *job, const int row[2], float *restrict to)
{
    for (int c = job->d->dims == 3 ? 0 : 2; c < 3; c++) {
        const operators_curl curl = operators_curl_row(job->d, job->velocity, c, row[0], row[1]);
        for (int i = 0; i < job->source->size[0]; i++)
            to[i] += 2 * operators_slope_at(&curl.plus, i) * operators_slope_at(&curl.minus, i);
    }
}

static void straight_rows(void *context, int begin, int end)
{
    const straight_job *job = context;
    for (int r = begin; r < end; r++) {
        const int row[2] = {r % job->source->size[1], r / job->source->size[1]};
        const float *solid = job->solid ? field_row(job->solid, row[0], row[1]) : NULL;
        float *to = field_row(job->source, row[0], row[1]);
        straight_add_squares(job, row, to);
        straight_add_products(job, row, to);
        for (int i = 0; i < job->source->size[0]; i++)
            to[i] = solid && solid[i] < job->clear ? 0 : job->scale * to[i];
    }
}

void straight_find(const liquid_step *step, field to[3])
{
    const model *m = step->flow.m;
    state *s = step->flow.s;
    field source = state_scratch(m, s, 0, FR_AT_CELL), potential = state_scratch(m, s, 1, FR_AT_CELL);
    straight_job job = {.d = &m->domain,
                        .velocity = s->next_velocity,
                        .solid = s->solids.any ? &s->solids.distance : NULL,
                        .source = &source,
                        .scale = (float)(0.5 * step->flow.dt * domain_cell_volume(&m->domain)),
                        .clear = (float)(STRAIGHT_CLEAR * domain_min_h(&m->domain))};
    const solve_limits limits = {STRAIGHT_TOLERANCE, 0, m->solver.max_iterations};
    field_for_rows(&source, straight_rows, &job);
    projection_solve(s->projection, &(projection_task){.b = &source, .limits = &limits}, &potential);
    /* the projection has found the first half of the kick alone */
    field_blend(&s->next_pressure, 1, &s->next_pressure, (float)(m->fluid.density / step->flow.dt), &potential);
    for (int a = 0; a < m->domain.dims; a++)
        field_copy(&to[a], &s->next_velocity[a]);
    projection_correct(s->projection, &potential, 1, 1, to);
    surface_cells_finish_velocity(step->run, to);
}
