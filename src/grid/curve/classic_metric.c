#include "grid/curve/classic_metric.h"

#include <math.h>

#include "base/memory.h"
#include "base/vec.h"
#include "grid/halo.h"

static vec3 metric_node(const curve *c, const int at[3])
{
    return vec3_of(c->node + 3 * (at[0] + (ptrdiff_t)c->nodes[0] * (at[1] + (ptrdiff_t)c->nodes[1] * at[2])));
}

/* Mean of the nodes on one side of a cell across `axis`, or (−1) of all its nodes. */
static vec3 metric_mean(const curve *c, const int cell[3], int axis, int high)
{
    vec3 sum = {0, 0, 0};
    int count = 0;
    for (int corner = 0; corner < 1 << c->domain.dims; corner++) {
        int at[3] = {cell[0], cell[1], cell[2]};
        for (int a = 0; a < c->domain.dims; a++)
            at[a] += corner >> a & 1;
        if (axis >= 0 && at[axis] != cell[axis] + high)
            continue;
        sum = vec3_add(sum, metric_node(c, at));
        count++;
    }
    return vec3_scale(sum, 1.0 / count);
}

/* Centre of a cell; on a periodic axis also of a cell beyond the end, moved by the period. */
static vec3 metric_centre(const curve *c, const int cell[3], int axis)
{
    int n = c->domain.n[axis], at[3] = {cell[0], cell[1], cell[2]};
    int turns = at[axis] < 0 ? -1 : at[axis] >= n ? 1 : 0;
    at[axis] -= turns * n;
    int low[3] = {at[0], at[1], at[2]}, high[3] = {at[0], at[1], at[2]};
    low[axis] = 0;
    high[axis] = n;
    vec3 period = vec3_sub(metric_node(c, high), metric_node(c, low));
    return vec3_add(metric_mean(c, at, -1, 0), vec3_scale(period, turns));
}

/* The row of J along an axis: half the vector between the centres of the neighbours on both sides. At a border one of
   them is missing: the vector between the cell's own two sides is used instead. */
static vec3 metric_tangent(const curve *c, const int cell[3], int axis)
{
    int low[3] = {cell[0], cell[1], cell[2]}, high[3] = {cell[0], cell[1], cell[2]};
    if (!c->domain.periodic[axis] && (cell[axis] == 0 || cell[axis] == c->domain.n[axis] - 1))
        return vec3_sub(metric_mean(c, cell, axis, 1), metric_mean(c, cell, axis, 0));
    low[axis]--;
    high[axis]++;
    return vec3_scale(vec3_sub(metric_centre(c, high, axis), metric_centre(c, low, axis)), 0.5);
}

/* Columns ∇s, ∇t, ∇r of J⁻¹ at a cell: each is perpendicular to the other two tangents. */
static void metric_invert(const curve *c, const int cell[3], vec3 gradient[3])
{
    vec3 tangent[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 1}};
    for (int k = 0; k < c->domain.dims; k++)
        tangent[k] = metric_tangent(c, cell, k);
    double volume = vec3_dot(tangent[0], vec3_cross(tangent[1], tangent[2]));
    for (int k = 0; k < 3; k++)
        gradient[k] = vec3_scale(vec3_cross(tangent[(k + 1) % 3], tangent[(k + 2) % 3]), 1 / volume);
}

typedef struct metric_job {
    const curve *c;
    classic_metric *m;
} metric_job;

static void metric_inverse_rows(void *context, int begin, int end)
{
    const metric_job *job = context;
    classic_metric *m = job->m;
    for (int row = begin; row < end; row++)
        for (int i = 0; i < m->domain.n[0]; i++) {
            int cell[3] = {i, row % m->domain.n[1], row / m->domain.n[1]};
            vec3 gradient[3];
            metric_invert(job->c, cell, gradient);
            float *frame =
                m->frames + (size_t)classic_metric_frame(&m->domain) * (size_t)(i + (ptrdiff_t)m->domain.n[0] * row);
            for (int k = 0; k < m->domain.dims; k++) {
                double parts[3] = {gradient[k].x, gradient[k].y, gradient[k].z};
                for (int a = 0; a < m->domain.dims; a++) {
                    m->inverse[k][a].data[field_offset(&m->centre, cell[0], cell[1], cell[2])] = (float)parts[a];
                    frame[(m->domain.dims == 3 ? 4 : 2) * k + a] = (float)parts[a];
                }
            }
        }
}

/* The Laplacian s_xx + s_yy + s_zz of the coordinate k: (14) applied to the entries of J⁻¹. */
static double metric_second(const classic_metric *m, int k, ptrdiff_t at)
{
    double sum = 0;
    for (int a = 0; a < m->domain.dims; a++)
        for (int j = 0; j < m->domain.dims; j++) {
            const float *entry = m->inverse[k][a].data + at;
            ptrdiff_t step = m->centre.stride[j];
            sum += 0.5 * ((double)entry[step] - (double)entry[-step]) * (double)m->inverse[j][a].data[at];
        }
    return sum;
}

/* ∇s_j·∇s_k. */
static double metric_product(const classic_metric *m, int j, int k, ptrdiff_t at)
{
    double sum = 0;
    for (int a = 0; a < m->domain.dims; a++)
        sum += (double)m->inverse[j][a].data[at] * (double)m->inverse[k][a].data[at];
    return sum;
}

/* Writes the coefficients of a cell, one group (eight cells) apart. */
static void metric_coefficients(const classic_metric *m, ptrdiff_t at, float *to)
{
    const int dims = m->domain.dims;
    double along[3] = {0, 0, 0}, centre = 0;
    for (int k = 0; k < dims; k++) {
        along[k] = metric_product(m, k, k, at);
        centre += 2 * along[k];
    }
    m->centre.data[at] = (float)centre;
    for (int k = 0; k < dims; k++) {
        double bend = 0.5 * metric_second(m, k, at);
        to[WIDE * 2 * k] = (float)((along[k] + bend) / centre);
        if (k < dims - 1)
            to[WIDE * (2 * k + 1)] = (float)((along[k] - bend) / centre);
    }
    for (int k = dims == 3 ? 0 : 2; k < 3; k++)
        to[WIDE * (dims == 3 ? 5 + k : 3)] = (float)(0.5 * metric_product(m, (k + 1) % 3, (k + 2) % 3, at) / centre);
}

static void metric_coefficient_rows(void *context, int begin, int end)
{
    const metric_job *job = context;
    const classic_metric *m = job->m;
    for (int row = begin; row < end; row++) {
        int j = row % m->domain.n[1], k = row / m->domain.n[1];
        float *to = m->stencil + (classic_metric_row(m, j, k) - m->stencil);
        for (int i = 0; i < m->domain.n[0]; i++)
            metric_coefficients(m, field_offset(&m->centre, i, j, k),
                                to + (i + GHOST) / WIDE * WIDE * classic_metric_width(&m->domain) + (i + GHOST) % WIDE);
    }
}

static size_t metric_stencil_count(const domain *d)
{
    return (size_t)wide_round(GHOST + d->n[0]) * (size_t)classic_metric_width(d) * (size_t)d->n[1] * (size_t)d->n[2];
}

static fr_result metric_reserve(const domain *d, classic_metric *m)
{
    for (int k = 0; k < d->dims; k++)
        for (int a = 0; a < d->dims; a++)
            FR_TRY(field_create(d, FR_AT_CELL, &m->inverse[k][a]));
    FR_TRY(field_create(d, FR_AT_CELL, &m->centre));
    m->groups = wide_round(GHOST + d->n[0]) / WIDE;
    m->stencil = MEMORY_NEW(float, metric_stencil_count(d));
    m->frames = MEMORY_NEW(float, classic_metric_frame(d) * domain_cells(d));
    return m->stencil && m->frames ? FR_OK : FR_ERROR_MEMORY;
}

fr_result classic_metric_create(const curve *c, classic_metric *out)
{
    *out = (classic_metric){.domain = c->domain};
    fr_result made = metric_reserve(&c->domain, out);
    if (made != FR_OK) {
        classic_metric_destroy(out);
        return made;
    }
    metric_job job = {c, out};
    field_for_rows(&out->centre, metric_inverse_rows, &job);
    for (int k = 0; k < c->domain.dims; k++)
        for (int a = 0; a < c->domain.dims; a++)
            halo_fill_linear(&out->inverse[k][a], &c->domain);
    field_for_rows(&out->centre, metric_coefficient_rows, &job);
    return FR_OK;
}

void classic_metric_destroy(classic_metric *m)
{
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 3; a++)
            field_destroy(&m->inverse[k][a]);
    field_destroy(&m->centre);
    memory_free(m->stencil);
    memory_free(m->frames);
    *m = (classic_metric){0};
}

size_t classic_metric_bytes(const domain *d)
{
    return (size_t)(d->dims * d->dims + 1) * field_bytes(d, FR_AT_CELL) +
           (metric_stencil_count(d) + (size_t)classic_metric_frame(d) * (size_t)domain_cells(d)) * sizeof(float);
}
