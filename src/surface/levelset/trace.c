/* Where eight cells of a row come from in a flow with cells of the same size, and φ there. Neighbouring points mostly
   lie between neighbouring samples, or one sample apart where the flow changes its sign: the samples of all eight are
   then loaded at once, for both, and each point weighs those that are not its own with 0. */
#include "surface/levelset/trace.h"

#include "base/wide.h"

#define TRACE_INLINE static inline __attribute__((always_inline))

enum { MOST_TAPS = 5 }; /* of cubic interpolation between samples that are one apart */

/* Samples along an axis, relative to each point's own cell, and their weights. */
typedef struct trace_taps {
    int first, count;
    wide weight[MOST_TAPS];
} trace_taps;

/* `along`: places relative to the sample of each point's cell. `taps`: 2, linear, or 4, cubic Lagrange. Returns false
   where the points are too far apart. */
TRACE_INLINE bool trace_find(wide along, int taps, trace_taps *to)
{
    const wide low = wide_floor(along), t = along - (low + 0.5f);
    wide own[4] = {0.5f - t, 0.5f + t};
    if (taps == 4) {
        const wide q = 0.5f * (t * t - 0.25f), third = t * (1.0f / 3);
        own[3] = q * (0.5f + third);
        own[2] = (1 - q) * (0.5f + t);
        own[1] = (1 - q) * (0.5f - t);
        own[0] = q * (0.5f - third);
    }
    if (wide_every(low == low[0])) {
        to->first = (int)low[0] - (taps / 2 - 1);
        to->count = taps;
        for (int s = 0; s < taps; s++)
            to->weight[s] = own[s];
        return true;
    }
    const float least = wide_least(low);
    const wide_mask lower = low == least;
    to->first = (int)least - (taps / 2 - 1);
    to->count = taps + 1;
    to->weight[0] = wide_keep(lower, own[0]);
    for (int s = 1; s < taps; s++)
        to->weight[s] = wide_choose(lower, own[s], own[s - 1]);
    to->weight[taps] = wide_keep(~lower, own[taps - 1]);
    return wide_greatest(low) - least <= 1;
}

/* Pairs from the outside in, so that the mirrored sum has the same bits. */
TRACE_INLINE wide trace_weigh(const wide v[MOST_TAPS], const wide w[MOST_TAPS], int count)
{
    switch (count) {
    case 2:
        return v[0] * w[0] + v[1] * w[1];
    case 3:
        return (v[0] * w[0] + v[2] * w[2]) + v[1] * w[1];
    case 4:
        return (v[0] * w[0] + v[3] * w[3]) + (v[1] * w[1] + v[2] * w[2]);
    default:
        return ((v[0] * w[0] + v[4] * w[4]) + (v[1] * w[1] + v[3] * w[3])) + v[2] * w[2];
    }
}

/* The row of samples at `from`, weighed. */
TRACE_INLINE wide trace_row_value(const float *from, const trace_taps *x, int taps)
{
    wide v[MOST_TAPS];
    for (int s = 0; s < taps; s++)
        v[s] = wide_load(from + s);
    if (x->count == taps)
        return trace_weigh(v, x->weight, taps);
    v[taps] = wide_load(from + taps);
    return trace_weigh(v, x->weight, taps + 1);
}

/* `at`: the field's sample of the first point's cell. */
TRACE_INLINE wide trace_value(const field *f, const float *at, const trace_taps *const axis[3], int dims, int taps)
{
    const int layers = dims == 3 ? axis[2]->count : 1;
    const float *corner = at + axis[0]->first + axis[1]->first * f->stride[1];
    wide layer[MOST_TAPS];
    corner += dims == 3 ? axis[2]->first * f->stride[2] : 0;
    for (int k = 0; k < layers; k++) {
        wide row[MOST_TAPS];
        for (int j = 0; j < axis[1]->count; j++)
            row[j] = trace_row_value(corner + j * f->stride[1] + k * f->stride[2], axis[0], taps);
        layer[k] = trace_weigh(row, axis[1]->weight, axis[1]->count);
    }
    return dims == 3 ? trace_weigh(layer, axis[2]->weight, layers) : layer[0];
}

/* Whether all that trace_value loads lies in the field's memory. Some lanes read where no point is. */
TRACE_INLINE bool trace_readable(const field *f, const float *at, const trace_taps *const axis[3], int dims, int taps)
{
    ptrdiff_t first = at - f->block, last = first + WIDE - 1;
    for (int a = 0; a < dims; a++) {
        first += axis[a]->first * f->stride[a];
        last += (axis[a]->first + (a == 0 ? taps : axis[a]->count - 1)) * f->stride[a];
    }
    return first >= 0 && last < (ptrdiff_t)f->count;
}

/* Eight points of a row, from number `i` on. */
typedef struct trace_eight {
    const trace_job *job;
    int dims;           /* those of the domain */
    const float *at[3]; /* the face below the first point's cell, across each axis */
    wide place[3];      /* of their cells' centres, cells */
} trace_eight;

TRACE_INLINE trace_eight trace_begin(const trace_job *job, const sample_points *p, int i, int dims)
{
    const wide lane = {0, 1, 2, 3, 4, 5, 6, 7};
    trace_eight e = {.job = job, .dims = dims};
    e.place[0] = (float)(p->i + i) + 0.5f + lane;
    e.place[1] = wide_all((float)p->j + 0.5f);
    e.place[2] = wide_all((float)p->k + 0.5f);
    for (int a = 0; a < dims; a++)
        e.at[a] = field_row(&job->velocity[a], p->j, p->k) + p->i + i;
    return e;
}

/* The displacement by `scale` times the flow, in cells, kept in the box. A NaN ends at the low side. */
TRACE_INLINE wide trace_move(const trace_eight *e, int axis, wide u, float scale)
{
    const domain *d = e->job->d;
    const float n = (float)d->n[axis];
    wide move = scale * u;
    if (d->periodic[axis])
        move -= n * wide_floor((move + e->place[axis]) * (1 / n));
    return wide_min(wide_max(move, -e->place[axis]), n - e->place[axis]);
}

/* The flow at displaced points. */
TRACE_INLINE bool trace_flow(const trace_eight *e, const wide move[3], wide u[3])
{
    trace_taps centres[3], faces[3];
    bool near = true;
    for (int a = 0; a < e->dims; a++)
        near = trace_find(move[a], 2, &centres[a]) && trace_find(move[a] + 0.5f, 2, &faces[a]) && near;
    for (int a = 0; a < e->dims && near; a++) {
        const field *f = &e->job->velocity[a];
        const trace_taps *axis[3] = {&centres[0], &centres[1], &centres[2]};
        axis[a] = &faces[a];
        near = trace_readable(f, e->at[a], axis, e->dims, 2);
        if (near)
            u[a] = trace_value(f, e->at[a], axis, e->dims, 2);
    }
    return near;
}

/* The way back, in cells, from the flow where it begins. */
TRACE_INLINE bool trace_back(const trace_eight *e, const wide begin[3], wide move[3])
{
    const trace_job *job = e->job;
    wide stage[3], sum[3];
    for (int a = 0; a < e->dims; a++) {
        stage[a] = begin[a];
        sum[a] = job->rule->share[0] * stage[a];
    }
    for (int s = 1; s < job->rule->stages; s++) {
        for (int a = 0; a < e->dims; a++)
            move[a] = trace_move(e, a, stage[a], (float)(job->rule->reach[s] * job->dt / job->d->h[a]));
        if (!trace_flow(e, move, stage))
            return false;
        for (int a = 0; a < e->dims; a++)
            sum[a] += job->rule->share[s] * stage[a];
    }
    for (int a = 0; a < e->dims; a++)
        move[a] = trace_move(e, a, sum[a], (float)(job->dt / job->d->h[a]));
    return true;
}

/* φ at displaced points, with so many `taps`; `at` is its sample of the first point's cell. */
TRACE_INLINE bool trace_phi(const trace_eight *e, const float *at, const wide move[3], int taps, wide *value)
{
    const field *phi = e->job->phi;
    trace_taps along[3];
    const trace_taps *const axis[3] = {&along[0], &along[1], &along[2]};
    for (int a = 0; a < e->dims; a++)
        if (!trace_find(move[a], taps, &along[a]))
            return false;
    if (!trace_readable(phi, at, axis, e->dims, taps))
        return false;
    *value = trace_value(phi, at, axis, e->dims, taps);
    return true;
}

TRACE_INLINE bool trace_eight_value(const trace_eight *e, const float *at, wide *value)
{
    const trace_job *job = e->job;
    wide begin[3], move[3], straight, cubic;
    for (int a = 0; a < e->dims; a++) {
        begin[a] = 0.5f * (wide_load(e->at[a]) + wide_load(e->at[a] + job->velocity[a].stride[a]));
        move[a] = trace_move(e, a, begin[a], (float)(job->dt / job->d->h[a]));
    }
    if (!trace_phi(e, at, move, 2, &straight))
        return false;
    const wide_mask farther = wide_max(straight, -straight) > job->straight;
    *value = straight;
    if (wide_every(farther))
        return true;
    if (!trace_back(e, begin, move) || !trace_phi(e, at, move, 2, value))
        return false;
    const wide_mask far = wide_max(*value, -*value) > job->far;
    if (!wide_every(far | farther) && !trace_phi(e, at, move, 4, &cubic))
        return false;
    if (!wide_every(far | farther))
        *value = wide_choose(far, *value, cubic);
    *value = wide_choose(farther, straight, *value);
    return true;
}

TRACE_INLINE bool trace_run(const trace_job *job, const sample_points *p, int dims, float *values)
{
    for (int i = 0; i < p->n; i += WIDE) {
        const trace_eight e = trace_begin(job, p, i, dims);
        wide value;
        if (!trace_eight_value(&e, field_row(job->phi, p->j, p->k) + p->i + i, &value))
            return false;
        wide_store(values + i, value);
    }
    return true;
}

bool trace_cells(const trace_job *job, const sample_points *p, float *values)
{
    if (p->n % WIDE)
        return false;
    return job->d->dims == 3 ? trace_run(job, p, 3, values) : trace_run(job, p, 2, values);
}
