#include "grid/shear.h"

#include "base/threads.h"
#include "grid/halo.h"

typedef struct shear_job {
    const domain *d;
    const field *velocity, *edges, *cells;
    field *out;
    int axis, a, b; /* of the edges, and the two across them */
} shear_job;

static shear_job shear_job_of(const domain *d, int c, field *out)
{
    return (shear_job){.d = d, .axis = c, .a = c == 0 ? 1 : 0, .b = c == 2 ? 1 : 2, .out = out};
}

/* Rows of edges: one more along each axis across them. */
static int shear_edge_rows(const shear_job *job, int size[2])
{
    for (int axis = 1; axis < 3; axis++)
        size[axis - 1] = job->out->size[axis] + (axis == job->a || axis == job->b);
    return size[0] * size[1];
}

static int shear_edge_length(const shear_job *job)
{
    return job->out->size[0] + (job->a == 0);
}

static void shear_for_edges(shear_job *job, threads_work work)
{
    int size[2];
    threads_for_cost(shear_edge_rows(job, size), shear_edge_length(job), work, job);
}

static void shear_edge_squares(void *context, int begin, int end)
{
    const shear_job *job = context;
    const field *u = &job->velocity[job->a], *v = &job->velocity[job->b];
    const ptrdiff_t below = u->stride[job->b], left = v->stride[job->a];
    const float by_b = 1 / (float)job->d->h[job->b], by_a = 1 / (float)job->d->h[job->a];
    int size[2];
    shear_edge_rows(job, size);
    for (int r = begin; r < end; r++) {
        const int j = r % size[0], k = r / size[0];
        const float *restrict at_u = field_row(u, j, k), *restrict at_v = field_row(v, j, k);
        float *restrict out = field_row(job->out, j, k);
        for (int i = 0; i < shear_edge_length(job); i++) {
            const float shear = by_b * (at_u[i] - at_u[i - below]) + by_a * (at_v[i] - at_v[i - left]);
            out[i] = shear * shear;
        }
    }
}

void shear_on_edges(const domain *d, const field velocity[3], int c, field *out)
{
    shear_job job = shear_job_of(d, c, out);
    job.velocity = velocity;
    shear_for_edges(&job, shear_edge_squares);
}

/* Adds 2 (∂u_a/∂x_a)² to a row of cells. */
static void shear_add_stretch(const shear_job *job, int a, int j, int k, float *restrict sum)
{
    const field *u = &job->velocity[a];
    const float *restrict at = field_row(u, j, k);
    const ptrdiff_t next = u->stride[a];
    const float scale = 2 / (float)(job->d->h[a] * job->d->h[a]);
    for (int i = 0; i < job->out->size[0]; i++)
        sum[i] += scale * (at[i + next] - at[i]) * (at[i + next] - at[i]);
}

/* Adds `sign` times the mean over a cell's four edges along c to a row. */
static void shear_add_edges(const field *edges, int c, float sign, const int row[2], float *restrict sum)
{
    const ptrdiff_t a = edges->stride[c == 0 ? 1 : 0], b = edges->stride[c == 2 ? 1 : 2];
    const float *restrict at = field_row(edges, row[0], row[1]);
    for (int i = 0; i < edges->size[0]; i++)
        sum[i] += 0.25f * sign * ((at[i] + at[i + a]) + (at[i + b] + at[i + a + b]));
}

static void shear_cell_rows(void *context, int begin, int end)
{
    const shear_job *job = context;
    for (int r = begin; r < end; r++) {
        const int row[2] = {r % job->out->size[1], r / job->out->size[1]};
        float *sum = field_row(job->out, row[0], row[1]);
        for (int i = 0; i < job->out->size[0]; i++)
            sum[i] = 0;
        for (int a = 0; a < job->d->dims; a++)
            shear_add_stretch(job, a, row[0], row[1], sum);
        for (int c = job->d->dims == 2 ? 2 : 0; c < 3; c++)
            shear_add_edges(&job->edges[c], c, 1, row, sum);
    }
}

void shear_in_cells(const domain *d, const field velocity[3], const field edges[3], field *out)
{
    shear_job job = {.d = d, .velocity = velocity, .edges = edges, .out = out};
    field_for_rows(out, shear_cell_rows, &job);
}

static void shear_rest_rows(void *context, int begin, int end)
{
    const shear_job *job = context;
    for (int r = begin; r < end; r++) {
        const int row[2] = {r % job->out->size[1], r / job->out->size[1]};
        const float *cells = field_row(job->cells, row[0], row[1]);
        float *rest = field_row(job->out, row[0], row[1]);
        for (int i = 0; i < job->out->size[0]; i++)
            rest[i] = cells[i];
        shear_add_edges(job->edges, job->axis, -1, row, rest);
    }
}

static void shear_gather_rows(void *context, int begin, int end)
{
    const shear_job *job = context;
    const ptrdiff_t a = job->cells->stride[job->a], b = job->cells->stride[job->b];
    int size[2];
    shear_edge_rows(job, size);
    for (int r = begin; r < end; r++) {
        const float *restrict rest = field_row(job->cells, r % size[0], r / size[0]);
        float *restrict out = field_row(job->out, r % size[0], r / size[0]);
        for (int i = 0; i < shear_edge_length(job); i++) {
            const float mean = 0.25f * ((rest[i] + rest[i - a]) + (rest[i - b] + rest[i - a - b]));
            out[i] += mean > 0 ? mean : 0;
        }
    }
}

void shear_around_edges(const domain *d, const field *cells, int c, field *rest, field *edges)
{
    shear_job left = {.d = d, .cells = cells, .edges = edges, .out = rest, .axis = c};
    field_for_rows(rest, shear_rest_rows, &left);
    halo_fill_even(rest, d);
    shear_job job = shear_job_of(d, c, edges);
    job.cells = rest;
    shear_for_edges(&job, shear_gather_rows);
}
