#include "river/stage/flow.h"

/* Inlined so that the compiler specialises for 2D and 3D. */
#define FLOW_INLINE static inline __attribute__((always_inline))

/* A place for interpolation: its position in its cell, 0 … 1; for values at centres: how many cells lower (0 or 1) the
   centre below it is, and the weight of the one above. */
typedef struct flow_spot {
    const int *cell;
    float in_cell[3], next[3];
    int below[3];
} flow_spot;

FLOW_INLINE flow_spot flow_spot_of(int dims, const int cell[3], const double place[3])
{
    flow_spot spot = {.cell = cell};
    for (int a = 0; a < dims; a++) {
        spot.in_cell[a] = (float)(place[a] - cell[a]);
        spot.below[a] = spot.in_cell[a] < 0.5f;
        spot.next[a] = spot.in_cell[a] - 0.5f + (float)spot.below[a];
    }
    return spot;
}

FLOW_INLINE float flow_blend(float low, float high, float next)
{
    return low + (high - low) * next;
}

FLOW_INLINE float flow_layer(const float *v, ptrdiff_t row, const float next[3])
{
    return flow_blend(flow_blend(v[0], v[1], next[0]), flow_blend(v[row], v[row + 1], next[0]), next[1]);
}

/* Linear interpolation of a field on the faces across `face`, or (−1) at the centres. */
FLOW_INLINE float flow_value(const field *f, int dims, const flow_spot *spot, int face)
{
    float next[3] = {0, 0, 0};
    const float *v = f->data;
    for (int a = 0; a < dims; a++) {
        next[a] = a == face ? spot->in_cell[a] : spot->next[a];
        v += (spot->cell[a] - (a == face ? 0 : spot->below[a])) * f->stride[a];
    }
    float value = flow_layer(v, f->stride[1], next);
    return dims == 2 ? value : flow_blend(value, flow_layer(v + f->stride[2], f->stride[1], next), next[2]);
}

/* Interpolated flux over interpolated volume: exactly zero through a closed face. */
FLOW_INLINE void flow_from_fluxes(const river_flow *flow, int dims, const int cell[3], const double place[3],
                                  double velocity[3])
{
    const flow_spot spot = flow_spot_of(dims, cell, place);
    float per_volume = 1 / flow_value(&flow->m->curve.volume, dims, &spot, -1);
    for (int k = 0; k < dims; k++)
        velocity[k] = (double)(flow_value(&flow->flux[k], dims, &spot, k) * per_volume);
}

/* Barroso & Celes (15): J⁻¹ u, both interpolated between the centres. */
FLOW_INLINE void flow_from_velocities(const river_flow *flow, int dims, const int cell[3], const double place[3],
                                      double velocity[3])
{
    const flow_spot spot = flow_spot_of(dims, cell, place);
    float u[3];
    for (int a = 0; a < dims; a++)
        u[a] = flow_value(&flow->velocity[a], dims, &spot, -1);
    for (int k = 0; k < dims; k++) {
        float sum = 0;
        for (int a = 0; a < dims; a++)
            sum += flow_value(&flow->m->metric.inverse[k][a], dims, &spot, -1) * u[a];
        velocity[k] = (double)sum;
    }
}

static void flow_of_fluxes(const void *context, const int cell[3], const double place[3], double velocity[3])
{
    const river_flow *flow = context;
    if (flow->m->curve.domain.dims == 3)
        flow_from_fluxes(flow, 3, cell, place, velocity);
    else
        flow_from_fluxes(flow, 2, cell, place, velocity);
}

static void flow_of_velocities(const void *context, const int cell[3], const double place[3], double velocity[3])
{
    const river_flow *flow = context;
    if (flow->m->curve.domain.dims == 3)
        flow_from_velocities(flow, 3, cell, place, velocity);
    else
        flow_from_velocities(flow, 2, cell, place, velocity);
}

river_flow stage_river_flow(const river_model *m, const river_state *s)
{
    return (river_flow){m, s, s->flux, s->velocity};
}

curve_walk stage_river_walk(const river_flow *flow)
{
    const river_model *m = flow->m;
    bool classic = m->scheme == FR_RIVER_CLASSIC;
    curve_walk walk = {.d = &m->curve.domain,
                       .solid = m->solid,
                       .velocity = classic ? flow_of_velocities : flow_of_fluxes,
                       .context = flow};
    for (int side = 0; side < 6; side++) {
        fr_river_side_kind kind = m->sides[side].kind;
        walk.open[side] = kind == FR_RIVER_INFLOW || kind == FR_RIVER_OUTFLOW || m->sides[side].gated;
        walk.gate[side] = flow->s->side_open[side];
    }
    return walk;
}
