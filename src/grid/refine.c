#include "grid/refine.h"

#include <math.h>

#include "base/wide.h"

/* A row of fine points in coarse cells: the coarse cell that each starts in, and its displaced position relative to
   that cell's centre. Relative to the centre, so that mirrored points have mirrored numbers. */
typedef struct refine_row {
    int32_t cell[SAMPLE_ROW];        /* along x */
    int j, k;                        /* along y and z */
    float x[SAMPLE_ROW], y[SAMPLE_ROW], z[SAMPLE_ROW];
} refine_row;

/* Position of the centre of fine cell `i` relative to the centre of its coarse cell, −½ … ½. */
static float refine_centre(int i, int refine)
{
    return (float)(2 * (i % refine) + 1 - refine) / (float)(2 * refine);
}

static void refine_moved(const float *restrict move, int n, float centre, float scale, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = centre + scale * move[i];
}

static void refine_place(const sample_points *p, int dims, int refine, refine_row *row)
{
    float scale = 1.0f / (float)refine;
    row->j = p->j / refine;
    row->k = dims == 3 ? p->k / refine : 0;
    for (int first = 0; first < refine; first++)
        for (int i = first; i < p->n; i += refine) {
            row->cell[i] = (p->i + i) / refine;
            row->x[i] = refine_centre(p->i + first, refine) + scale * p->dx[i];
        }
    refine_moved(p->dy, p->n, refine_centre(p->j, refine), scale, row->y);
    if (dims == 3)
        refine_moved(p->dz, p->n, refine_centre(p->k, refine), scale, row->z);
}

/* The samples that each point lies between, and its distance from their midpoint, −½ … ½. */
typedef struct refine_stencil {
    int32_t at[SAMPLE_ROW];
    float fx[SAMPLE_ROW], fy[SAMPLE_ROW], fz[SAMPLE_ROW];
} refine_stencil;

/* Adds one axis to the stencil. Samples on the faces across it lie half a cell below the centres. */
static void refine_locate(const float *restrict place, int n, bool on_faces, int stride, int32_t *restrict at,
                          float *restrict f)
{
    const float shift = on_faces ? 0.5f : 0.0f;
    for (int i = 0; i < n; i++) {
        float below = floorf(place[i] + shift);
        f[i] = place[i] - (below + 0.5f - shift);
        at[i] += (int)below * stride;
    }
}

static void refine_stencil_of(const field *f, const refine_row *row, int n, refine_stencil *s)
{
    const int axis = field_axis(f);
    for (int i = 0; i < wide_round(n); i++)
        s->at[i] = i < n ? row->cell[i] : 0;
    refine_locate(row->x, n, axis == 0, 1, s->at, s->fx);
    refine_locate(row->y, n, axis == 1, (int)f->stride[1], s->at, s->fy);
    if (f->stride[2])
        refine_locate(row->z, n, axis == 2, (int)f->stride[2], s->at, s->fz);
    for (int i = n; i < wide_round(n); i++)
        s->fx[i] = s->fy[i] = s->fz[i] = 0;
}

/* Linear between a (t = −½) and b (t = ½). Symmetric about the midpoint: a mirrored pair gives the same bits. */
static inline wide refine_between(wide a, wide b, wide t)
{
    return 0.5f * (a + b) + t * (b - a);
}

static inline wide refine_bilinear(const float *data, const int32_t *at, int row, wide fx, wide fy)
{
    wide_group low = wide_pick_pairs(data, at), high = wide_pick_pairs(data + row, at);
    return refine_between(refine_between(low.v[0], low.v[1], fx), refine_between(high.v[0], high.v[1], fx), fy);
}

static void refine_component(const field *f, const refine_row *row, int n, float *out)
{
    refine_stencil s;
    refine_stencil_of(f, row, n, &s);
    const float *data = field_row(f, row->j, row->k);
    const int line = (int)f->stride[1];
    for (int i = 0; i < n; i += WIDE) {
        wide fx = wide_load(s.fx + i), fy = wide_load(s.fy + i);
        wide value = refine_bilinear(data, s.at + i, line, fx, fy);
        if (f->stride[2])
            value = refine_between(value, refine_bilinear(data + f->stride[2], s.at + i, line, fx, fy),
                                   wide_load(s.fz + i));
        wide_store(out + i, value);
    }
}

void refine_flow(const field *velocity, int dims, int refine, const sample_points *points, float flow[3][SAMPLE_ROW])
{
    refine_row row;
    refine_place(points, dims, refine, &row);
    for (int a = 0; a < dims; a++)
        refine_component(&velocity[a], &row, points->n, flow[a]);
}

typedef struct refine_mean_job {
    const field *fine;
    field *mean;
    int refine, layers;      /* fine cells per coarse cell along x and y; along z */
} refine_mean_job;

/* In double, so that the order of the sum does not affect the float result. */
static double refine_block_sum(const refine_mean_job *job, int i, int j, int k)
{
    double sum = 0;
    for (int kk = 0; kk < job->layers; kk++)
        for (int jj = 0; jj < job->refine; jj++) {
            const float *row = field_row(job->fine, j * job->refine + jj, k * job->layers + kk) + i * job->refine;
            for (int ii = 0; ii < job->refine; ii++)
                sum += row[ii];
        }
    return sum;
}

static void refine_mean_rows(void *context, int begin, int end)
{
    const refine_mean_job *job = context;
    const double share = 1.0 / (job->refine * job->refine * job->layers);
    for (int m = begin; m < end; m++) {
        int j = m % job->mean->size[1], k = m / job->mean->size[1];
        float *row = field_row(job->mean, j, k);
        for (int i = 0; i < job->mean->size[0]; i++)
            row[i] = (float)(share * refine_block_sum(job, i, j, k));
    }
}

void refine_mean(const field *fine, int refine, field *mean)
{
    refine_mean_job job = {fine, mean, refine, fine->size[2] / mean->size[2]};
    field_for_rows(mean, refine_mean_rows, &job);
}
