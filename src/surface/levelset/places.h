/* Linear interpolation at eight particles at once. */
#ifndef FR_SURFACE_LEVELSET_PLACES_H
#define FR_SURFACE_LEVELSET_PLACES_H

#include "base/wide.h"
#include "grid/field.h"

/* Positions of eight particles, in cells. */
typedef struct places {
    wide at[3];
} places;

static inline places places_load(float *const place[3], size_t i)
{
    return (places){{wide_load(place[0] + i), wide_load(place[1] + i), wide_load(place[2] + i)}};
}

/* Values of `f` at positions given in cells of its own domain, which must lie in the box. */
static inline wide places_values(const field *f, const places *p)
{
    const int axis = field_axis(f), row = (int)f->stride[1], plane = (int)f->stride[2];
    wide share[3];
    wide_mask at = {0};
    for (int a = 0; a < (plane ? 3 : 2); a++) {
        wide v = p->at[a] - (a == axis ? 0.0f : 0.5f), low = wide_floor(v);
        share[a] = v - low;
        at += __builtin_convertvector(low, wide_mask) * (int)f->stride[a];
    }
    int32_t from[WIDE];
    memcpy(from, &at, sizeof from);
    wide layer[2];
    for (int k = 0; k < (plane ? 2 : 1); k++) {
        wide_group low = wide_pick_pairs(f->data + k * plane, from),
                   high = wide_pick_pairs(f->data + k * plane + row, from);
        wide below = low.v[0] + share[0] * (low.v[1] - low.v[0]),
             above = high.v[0] + share[0] * (high.v[1] - high.v[0]);
        layer[k] = below + share[1] * (above - below);
    }
    return plane ? layer[0] + share[2] * (layer[1] - layer[0]) : layer[0];
}

/* Keeps positions in the box: wrapped on periodic axes, else clamped. A NaN ends at the low side. */
static inline wide places_inside(wide v, const domain *d, int axis)
{
    const float n = (float)d->n[axis];
    if (d->periodic[axis])
        v -= n * wide_floor(v * (1 / n));
    return wide_min(wide_max(v, wide_all(0)), wide_all(n));
}

#endif
