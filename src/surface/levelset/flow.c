#include "surface/levelset/flow.h"

#include <string.h>

#include "grid/refine.h"

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

const flow_rule *flow_rule_of(int order)
{
    static const flow_rule rules[3] = {{1, {0}, {1}},
                                       {2, {0, 0.5}, {0, 1}},
                                       {3, {0, 0.5, 0.75}, {2.0f / 9, 3.0f / 9, 4.0f / 9}}};
    return &rules[order - 1];
}

void flow_trace(const levelset_flow *flow, const domain *d, double dt, const flow_rule *rule, sample_points *p)
{
    flow_rows stage, sum;
    flow_at_centres(flow, d, p, stage);
    for (int s = 0; s < rule->stages; s++) {
        if (s > 0) {
            for (int a = 0; a < d->dims; a++)
                sample_move(p, d, a, stage[a], (float)(rule->reach[s] * dt / d->h[a]));
            flow_at_points(flow, d, p, stage);
        }
        for (int a = 0; a < d->dims; a++)
            for (int i = 0; i < p->n; i++)
                sum[a][i] = (s > 0 ? sum[a][i] : 0) + rule->share[s] * stage[a][i];
    }
    for (int a = 0; a < d->dims; a++)
        sample_move(p, d, a, sum[a], (float)(dt / d->h[a]));
}
