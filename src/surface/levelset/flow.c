#include "surface/levelset/flow.h"

#include <string.h>

#include "base/wide.h"
#include "grid/refine.h"

/* Shares of the step at which the stages of a rule stand, and their weights. */
static const double FLOW_REACH[3][2] = {{0}, {0.5}, {0.5, 0.75}};
static const float FLOW_SHARE[3][3] = {{1}, {0, 1}, {2.0f / 9, 3.0f / 9, 4.0f / 9}};

static void flow_at_points(const levelset_flow *flow, const domain *d, const sample_points *p, flow_rows out)
{
    if (flow->refine > 1) {
        refine_flow(flow->velocity, d->dims, flow->refine, p, out);
        return;
    }
    for (int a = 0; a < d->dims; a++)
        sample_values_rounded(&flow->velocity[a], d, p, out[a]);
}

void flow_at_centres(const levelset_flow *flow, const domain *d, sample_points *p, flow_rows out)
{
    if (flow->refine > 1) {
        float *const moves[3] = {p->dx, p->dy, p->dz};
        for (int a = 0; a < 3; a++)
            memset(moves[a], 0, (size_t)p->n * sizeof(float));
        refine_flow(flow->velocity, d->dims, flow->refine, p, out);
        return;
    }
    for (int a = 0; a < d->dims; a++) {
        const field *f = &flow->velocity[a];
        const float *at = field_row(f, p->j, p->k) + p->i;
        for (int i = 0; i < p->n; i++)
            out[a][i] = 0.5f * (at[i] + at[i + f->stride[a]]);
    }
}

static void flow_trace_row(const levelset_flow *flow, const domain *d, double dt, int order, sample_points *p)
{
    flow_rows stage, sum;
    flow_at_centres(flow, d, p, stage);
    for (int s = 0; s < order; s++) {
        if (s > 0) {
            for (int a = 0; a < d->dims; a++)
                sample_move(p, d, a, stage[a], (float)(FLOW_REACH[order - 1][s - 1] * dt / d->h[a]));
            flow_at_points(flow, d, p, stage);
        }
        for (int a = 0; a < d->dims; a++)
            for (int i = 0; i < p->n; i++)
                sum[a][i] = (s > 0 ? sum[a][i] : 0) + FLOW_SHARE[order - 1][s] * stage[a][i];
    }
    for (int a = 0; a < d->dims; a++)
        sample_move(p, d, a, sum[a], (float)(dt / d->h[a]));
}

/* The same for eight points at once, in a flow with cells of the same size. Their places are displacements from the
   centres of their cells, in cells. */
typedef struct flow_eight {
    const levelset_flow *flow;
    const domain *d;
    int dims;           /* those of the domain */
    const float *at[3]; /* the face below the first point's cell, across each axis */
    wide place[3];      /* of the centres */
} flow_eight;

/* A component at displaced points. Neighbouring points mostly lie between neighbouring samples, which are then loaded
   at once. */
static inline __attribute__((always_inline)) wide flow_value(const flow_eight *e, int axis, const wide move[3])
{
    const wide_mask lane = {0, 1, 2, 3, 4, 5, 6, 7};
    const field *u = &e->flow->velocity[axis];
    wide share[3] = {{0}, {0}, {0}}, row[4];
    wide_mask from = {0};
    for (int a = 0; a < e->dims; a++) {
        wide along = a == axis ? move[a] + 0.5f : move[a], low = wide_floor(along);
        share[a] = along - low;
        from += __builtin_convertvector(low, wide_mask) * (int32_t)u->stride[a];
    }
    const bool together = wide_every(from == from[0]);
    int32_t each[WIDE];
    from += together ? (wide_mask){0} : lane;
    memcpy(each, &from, sizeof each);
    for (int r = 0; r < (e->dims == 3 ? 4 : 2); r++) {
        const float *data = e->at[axis] + (r & 1) * u->stride[1] + (r >> 1) * u->stride[2];
        const wide_group pair = together ? (wide_group){{wide_load(data + each[0]), wide_load(data + each[0] + 1)}}
                                         : wide_pick_pairs(data, each);
        row[r] = pair.v[0] + share[0] * (pair.v[1] - pair.v[0]);
    }
    const wide low = row[0] + share[1] * (row[1] - row[0]);
    return e->dims == 2 ? low : low + share[2] * (row[2] + share[1] * (row[3] - row[2]) - low);
}

/* The displacement by `scale` times the flow, kept in the box. A NaN ends at the low side. */
static inline wide flow_move(const flow_eight *e, int axis, wide u, float scale)
{
    const float n = (float)e->d->n[axis];
    wide move = scale * u;
    if (e->d->periodic[axis])
        move -= n * wide_floor((move + e->place[axis]) * (1 / n));
    return wide_min(wide_max(move, -e->place[axis]), n - e->place[axis]);
}

static inline __attribute__((always_inline)) void flow_trace_eight(const flow_eight *e, double dt, int order,
                                                                   wide move[3])
{
    wide stage[3], sum[3];
    for (int a = 0; a < e->dims; a++) {
        stage[a] = 0.5f * (wide_load(e->at[a]) + wide_load(e->at[a] + e->flow->velocity[a].stride[a]));
        sum[a] = FLOW_SHARE[order - 1][0] * stage[a];
    }
    for (int s = 1; s < order; s++) {
        for (int a = 0; a < e->dims; a++)
            move[a] = flow_move(e, a, stage[a], (float)(FLOW_REACH[order - 1][s - 1] * dt / e->d->h[a]));
        for (int a = 0; a < e->dims; a++) {
            stage[a] = flow_value(e, a, move);
            sum[a] += FLOW_SHARE[order - 1][s] * stage[a];
        }
    }
    for (int a = 0; a < e->dims; a++)
        move[a] = flow_move(e, a, sum[a], (float)(dt / e->d->h[a]));
}

void flow_trace(const levelset_flow *flow, const domain *d, double dt, int order, sample_points *p)
{
    const wide lane = {0, 1, 2, 3, 4, 5, 6, 7};
    float *const moves[3] = {p->dx, p->dy, p->dz};
    if (flow->refine > 1 || p->n % WIDE) {
        flow_trace_row(flow, d, dt, order, p);
        return;
    }
    for (int i = 0; i < p->n; i += WIDE) {
        flow_eight e = {.flow = flow, .d = d, .dims = d->dims};
        wide move[3];
        e.place[0] = (float)(p->i + i) + 0.5f + lane;
        e.place[1] = wide_all((float)p->j + 0.5f);
        e.place[2] = wide_all((float)p->k + 0.5f);
        for (int a = 0; a < d->dims; a++)
            e.at[a] = field_row(&flow->velocity[a], p->j, p->k) + p->i + i;
        if (d->dims == 3)
            e.dims = 3, flow_trace_eight(&e, dt, order, move);
        else
            e.dims = 2, flow_trace_eight(&e, dt, order, move);
        for (int a = 0; a < d->dims; a++)
            wide_store(moves[a] + i, move[a]);
    }
}
