#include "grid/classic_metric.h"

#include <math.h>

#include "base/vec.h"
#include "grid/halo.h"

/* Calls `visit` for every field of the metric that a scene of so many dimensions has. */
typedef fr_result (*metric_visit)(const domain *d, field *f);

static fr_result metric_each(const domain *d, classic_metric *m, metric_visit visit)
{
    for (int k = 0; k < d->dims; k++) {
        for (int a = 0; a < d->dims; a++)
            FR_TRY(visit(d, &m->inverse[k][a]));
        FR_TRY(visit(d, &m->along[k]));
        FR_TRY(visit(d, &m->bend[k]));
    }
    for (int k = d->dims == 3 ? 0 : 2; k < 3; k++)
        FR_TRY(visit(d, &m->cross[k]));
    return visit(d, &m->centre);
}

static fr_result metric_make(const domain *d, field *f)
{
    return field_create(d, FR_AT_CELL, f);
}

static fr_result metric_free(const domain *d, field *f)
{
    (void)d;
    field_destroy(f);
    return FR_OK;
}

static vec3 metric_node(const curve *c, const int at[3])
{
    return vec3_of(c->node + 3 * (at[0] + (ptrdiff_t)c->nodes[0] * (at[1] + (ptrdiff_t)c->nodes[1] * at[2])));
}

/* Mean of the nodes of a cell that lie on one side of it across `axis`, or, with axis −1, of all. */
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

/* Centre of a cell; on a periodic axis also of one beyond the end, which lies where the grid goes on. */
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

/* The row of J along an axis: half the way between the centres on both sides. At a border there is no centre beyond; the cell's own two sides
   are as far apart as centres placed alike would be. */
static vec3 metric_tangent(const curve *c, const int cell[3], int axis)
{
    int low[3] = {cell[0], cell[1], cell[2]}, high[3] = {cell[0], cell[1], cell[2]};
    if (!c->domain.periodic[axis] && (cell[axis] == 0 || cell[axis] == c->domain.n[axis] - 1))
        return vec3_sub(metric_mean(c, cell, axis, 1), metric_mean(c, cell, axis, 0));
    low[axis]--;
    high[axis]++;
    return vec3_scale(vec3_sub(metric_centre(c, high, axis), metric_centre(c, low, axis)), 0.5);
}

/* Columns ∇s, ∇t, ∇r of J⁻¹ at a cell: each square to the other two tangents. */
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
            for (int k = 0; k < m->domain.dims; k++) {
                double parts[3] = {gradient[k].x, gradient[k].y, gradient[k].z};
                for (int a = 0; a < m->domain.dims; a++)
                    m->inverse[k][a].data[field_offset(&m->centre, cell[0], cell[1], cell[2])] = (float)parts[a];
            }
        }
}

/* s_xx + s_yy + s_zz of the coordinate k: (14) applied to the entries of J⁻¹. */
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

static void metric_coefficients(classic_metric *m, ptrdiff_t at)
{
    const int dims = m->domain.dims;
    double along[3] = {0, 0, 0}, centre = 0;
    for (int k = 0; k < dims; k++) {
        along[k] = metric_product(m, k, k, at);
        centre += 2 * along[k];
    }
    m->centre.data[at] = (float)centre;
    for (int k = 0; k < dims; k++) {
        m->along[k].data[at] = (float)(along[k] / centre);
        m->bend[k].data[at] = (float)(0.5 * metric_second(m, k, at) / centre);
    }
    for (int k = dims == 3 ? 0 : 2; k < 3; k++)
        m->cross[k].data[at] = (float)(0.5 * metric_product(m, (k + 1) % 3, (k + 2) % 3, at) / centre);
}

static void metric_coefficient_rows(void *context, int begin, int end)
{
    const metric_job *job = context;
    for (int row = begin; row < end; row++)
        for (int i = 0; i < job->m->domain.n[0]; i++)
            metric_coefficients(job->m, field_offset(&job->m->centre, i, row % job->m->domain.n[1], row / job->m->domain.n[1]));
}

fr_result classic_metric_create(const curve *c, classic_metric *out)
{
    *out = (classic_metric){.domain = c->domain};
    fr_result made = metric_each(&c->domain, out, metric_make);
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
    metric_each(&m->domain, m, metric_free);
    *m = (classic_metric){0};
}

size_t classic_metric_bytes(const domain *d)
{
    int fields = d->dims * d->dims + 2 * d->dims + (d->dims == 3 ? 3 : 1) + 1;
    return (size_t)fields * field_bytes(d, FR_AT_CELL);
}
