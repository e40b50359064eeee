#include "liquid/swarm/straight.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "grid/halo.h"
#include "grid/operators.h"
#include "mac/stage/walls.h"

/* One cycle of multigrid, and none where a tenth is left: a relative residual of 1e-3 gives no other figures. */
static const double STRAIGHT_TOLERANCE = 0.1;
enum { STRAIGHT_MOST = 1 };

/* So many cells from obstacles, slopes of u read none of the faces that these cut. */
static const double STRAIGHT_CLEAR = 2;

typedef struct straight_job {
    const domain *d;
    const field *velocity; /* faces, ghosts filled */
    const projection *projection;
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
   wall it would ask for many times the cell, and throw the liquid back. It stays below this share. */
static const float STRAIGHT_LARGEST = 0.25f;

static float straight_bounded(float lost)
{
    return lost / (1 + fabsf(lost) / STRAIGHT_LARGEST);
}

static void straight_rows(void *context, int begin, int end)
{
    const straight_job *job = context;
    for (int r = begin; r < end; r++) {
        straight_row row = {.j = r % job->source->size[1], .k = r / job->source->size[1]};
        projection_active(job->projection, row.j, row.k, row.span);
        const float *solid = job->solid ? field_row(job->solid, row.j, row.k) : NULL;
        float *to = field_row(job->source, row.j, row.k);
        straight_add_squares(job, &row, to);
        straight_add_products(job, &row, to);
        for (int i = row.span[0]; i < row.span[1]; i++)
            to[i] = solid && solid[i] < job->clear ? 0 : job->scale * straight_bounded(job->lost * to[i]);
    }
}

/* u − kept·velocity, to which −∇ψ is added; as far as parcels read it. */
static void straight_begin_row(void *context, const projection_row *row)
{
    const straight *way = context;
    const field *u = &way->step->flow.s->next_velocity[row->axis];
    const float *restrict flow = field_row(u, row->j, row->k);
    const extend_span span = transfer_reach(&way->step->run->liquid.transfer, row->axis, row->j, row->k);
    const float kept = way->kept;
    float *restrict to = row->u;
    fetch(flow + 2 * u->stride[1] + span.begin, (span.end - span.begin) * (ptrdiff_t)sizeof *flow);
    fetch(to + 2 * u->stride[1] + span.begin, (span.end - span.begin) * (ptrdiff_t)sizeof *to);
    for (int i = span.begin; i < span.end && kept != 0; i++)
        to[i] = flow[i] - kept * to[i];
    if (kept == 0)
        memcpy(to + span.begin, flow + span.begin, (size_t)(span.end - span.begin) * sizeof *to);
}

/* Rows of faces across x are those of cells: ρψ/Δt is added to the pressure of their liquid. */
static void straight_end_row(void *context, const projection_row *row)
{
    const straight *way = context;
    const liquid_step *step = way->step;
    const double share = step->flow.m->fluid.density / (way->late * step->flow.dt * step->flow.dt);
    const float *restrict potential = field_row(way->potential, row->j, row->k);
    float *restrict pressure = field_row(&step->flow.s->next_pressure, row->j, row->k);
    int wet[2] = {0, 0};
    if (row->axis == 0)
        projection_active(step->flow.s->projection, row->j, row->k, wet);
    for (int i = wet[0]; i < wet[1]; i++)
        pressure[i] += (float)share * potential[i];
}

void straight_find(const straight *way)
{
    const model *m = way->step->flow.m;
    state *s = way->step->flow.s;
    const double dt = way->step->flow.dt;
    straight_job job = {.d = &m->domain,
                        .velocity = s->next_velocity,
                        .projection = s->projection,
                        .solid = s->solids.any ? &s->solids.distance : NULL,
                        .source = way->source,
                        .lost = (float)(0.5 * dt * dt),
                        .scale = (float)(way->late * domain_cell_volume(&m->domain)),
                        .clear = (float)(STRAIGHT_CLEAR * domain_min_h(&m->domain))};
    const solve_limits limits = {STRAIGHT_TOLERANCE, 0, STRAIGHT_MOST};
    straight own = *way;
    field_for_rows(way->source, straight_rows, &job);
    projection_solve(s->projection, &(projection_task){.b = way->source, .limits = &limits}, way->potential);
    projection_correct_rows(s->projection, &(projection_step){way->potential, 1 / (way->late * dt), 1},
                            &(projection_rows){straight_begin_row, straight_end_row, &own}, way->velocity);
    stage_walls_pressure(m, &s->next_pressure);
    for (int a = 0; a < m->domain.dims; a++)
        halo_fill_even(&way->velocity[a], &m->domain);
}
