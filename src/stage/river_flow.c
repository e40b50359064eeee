#include "stage/river_flow.h"

/* Where a place lies among the samples of a location: the one below it, and the weight of the next along each axis. */
typedef struct flow_spot {
    ptrdiff_t at;
    float next[3];
} flow_spot;

/* Samples stand in the middle of cells, along `face` (−1: none) on their borders. */
static inline flow_spot flow_spot_of(const field *layout, int dims, const int cell[3], const double place[3], int face)
{
    flow_spot spot = {0};
    for (int a = 0; a < dims; a++) {
        float in_cell = (float)(place[a] - cell[a]);
        int below = a != face && in_cell < 0.5f;
        spot.next[a] = a == face ? in_cell : in_cell + (below ? 0.5f : -0.5f);
        spot.at += (cell[a] - below) * layout->stride[a];
    }
    return spot;
}

static inline float flow_blend(float low, float high, float next)
{
    return low + (high - low) * next;
}

static inline float flow_layer(const float *v, ptrdiff_t row, const float next[3])
{
    return flow_blend(flow_blend(v[0], v[1], next[0]), flow_blend(v[row], v[row + 1], next[0]), next[1]);
}

static inline float flow_value(const field *f, int dims, const flow_spot *spot)
{
    const float *v = f->data + spot->at;
    float value = flow_layer(v, f->stride[1], spot->next);
    return dims == 2 ? value : flow_blend(value, flow_layer(v + f->stride[2], f->stride[1], spot->next), spot->next[2]);
}

/* Fluxes, linear along their own axis and across it, over the volume there: at a closed face nothing passes, exactly. */
static void flow_of_fluxes(const void *context, const int cell[3], const double place[3], double velocity[3])
{
    const river_flow *flow = context;
    const curve *c = &flow->m->curve;
    int dims = c->domain.dims;
    flow_spot spot = flow_spot_of(&c->volume, dims, cell, place, -1);
    float per_volume = 1 / flow_value(&c->volume, dims, &spot);
    for (int k = 0; k < dims; k++) {
        spot = flow_spot_of(&flow->flux[k], dims, cell, place, k);
        velocity[k] = (double)(flow_value(&flow->flux[k], dims, &spot) * per_volume);
    }
}

/* (15), with both the velocity and J⁻¹ linear between the centres. */
static void flow_of_velocities(const void *context, const int cell[3], const double place[3], double velocity[3])
{
    const river_flow *flow = context;
    const classic_metric *metric = &flow->m->metric;
    int dims = metric->domain.dims;
    flow_spot spot = flow_spot_of(&metric->centre, dims, cell, place, -1);
    float u[3];
    for (int a = 0; a < dims; a++)
        u[a] = flow_value(&flow->velocity[a], dims, &spot);
    for (int k = 0; k < dims; k++) {
        float sum = 0;
        for (int a = 0; a < dims; a++)
            sum += flow_value(&metric->inverse[k][a], dims, &spot) * u[a];
        velocity[k] = (double)sum;
    }
}

river_flow stage_river_flow(const river_model *m, const river_state *s)
{
    return (river_flow){m, s->flux, s->velocity};
}

curve_walk stage_river_walk(const river_flow *flow)
{
    const river_model *m = flow->m;
    bool classic = m->def->river.scheme == FR_RIVER_CLASSIC;
    curve_walk walk = {.d = &m->curve.domain, .solid = m->solid, .velocity = classic ? flow_of_velocities : flow_of_fluxes, .context = flow};
    for (int side = 0; side < 6; side++) {
        fr_river_side_kind kind = m->def->river.sides[side].kind;
        walk.open[side] = kind == FR_RIVER_INFLOW || kind == FR_RIVER_OUTFLOW;
    }
    return walk;
}
