#include "liquid/swarm/straight.h"

#include <math.h>

#include "grid/halo.h"
#include "grid/operators.h"

/* One cycle of multigrid, and none where a tenth is left: a relative residual of 1e-3 gives no other figures. */
static const double STRAIGHT_TOLERANCE = 0.1;
enum { STRAIGHT_MOST = 1 };

/* So many cells from obstacles, slopes of u read none of the faces that these cut. */
static const double STRAIGHT_CLEAR = 2;

typedef struct straight_job {
    const domain *d;
    const field *velocity; /* faces, ghosts filled */
    const field *surface;  /* where it is not negative the source is not wanted */
    const field *solid;    /* NULL: there are no obstacles */
    field *source;
    float lost;         /* ½ Δt²: by tr (∇u)² the share of its volume that a cell loses on straight ways */
    float scale, clear; /* m³, of that share; m */
} straight_job;

/* Cells of a row that hold all of its liquid. */
typedef struct straight_row {
    int j, k;
    int span[2];
} straight_row;

/* (∂u_a/∂x_a)² of a row, added up. */
static void straight_add_squares(const straight_job *job, const straight_row *row, float *restrict to)
{
    for (int a = 0; a < job->d->dims; a++) {
        const field *f = &job->velocity[a];
        const float *restrict low = field_row(f, row->j, row->k), *restrict high = low + f->stride[a];
        const float scale = (float)(1 / job->d->h[a]);
        for (int i = row->span[0]; i < row->span[1]; i++) {
            float slope = scale * (high[i] - low[i]);
            to[i] = a ? to[i] + slope * slope : slope * slope;
        }
    }
}

/* 2 ∂u_b/∂x_a ∂u_a/∂x_b of a row: the two parts of the curl. */
static void straight_add_products(const straight_job *job, const straight_row *row, float *restrict to)
{
    for (int c = job->d->dims == 3 ? 0 : 2; c < 3; c++) {
        const operators_curl curl = operators_curl_row(job->d, job->velocity, c, row->j, row->k);
        for (int i = row->span[0]; i < row->span[1]; i++)
            to[i] += 2 * operators_slope_at(&curl.plus, i) * operators_slope_at(&curl.minus, i);
    }
}

/* The share is the first term of a series in Δt ∇u, and means nothing where that is large: where a long step meets a
   wall it would ask for many times the cell, and throw the liquid back. It stays below the whole. */
static float straight_bounded(float lost)
{
    return lost / (1 + fabsf(lost));
}

static void straight_rows(void *context, int begin, int end)
{
    const straight_job *job = context;
    for (int r = begin; r < end; r++) {
        straight_row row = {.j = r % job->source->size[1], .k = r / job->source->size[1]};
        field_negative_span(job->surface, row.j, row.k, row.span);
        const float *solid = job->solid ? field_row(job->solid, row.j, row.k) : NULL;
        float *to = field_row(job->source, row.j, row.k);
        straight_add_squares(job, &row, to);
        straight_add_products(job, &row, to);
        for (int i = row.span[0]; i < row.span[1]; i++)
            to[i] = solid && solid[i] < job->clear ? 0 : job->scale * straight_bounded(job->lost * to[i]);
    }
}

void straight_find(const straight *way)
{
    const model *m = way->step->flow.m;
    state *s = way->step->flow.s;
    const double dt = way->step->flow.dt;
    straight_job job = {.d = &m->domain,
                        .velocity = s->next_velocity,
                        .surface = s->surface,
                        .solid = s->solids.any ? &s->solids.distance : NULL,
                        .source = way->source,
                        .lost = (float)(0.5 * dt * dt),
                        .scale = (float)(way->late * domain_cell_volume(&m->domain)),
                        .clear = (float)(STRAIGHT_CLEAR * domain_min_h(&m->domain))};
    const solve_limits limits = {STRAIGHT_TOLERANCE, 0, STRAIGHT_MOST};
    field_for_rows(way->source, straight_rows, &job);
    projection_solve(s->projection, &(projection_task){.b = way->source, .limits = &limits}, way->potential);
    projection_correct(s->projection, way->potential, 1 / (way->late * dt), 1, way->velocity);
    field_blend(&s->next_pressure, 1, &s->next_pressure, (float)(m->fluid.density / (way->late * dt * dt)),
                way->potential);
    for (int a = 0; a < m->domain.dims; a++)
        halo_fill_even(&way->velocity[a], &m->domain);
}
