/* Trilinear interpolation at eight scattered places at once; places in cells from the domain's low corner. */
#ifndef FR_HYBRID_GATHER_H
#define FR_HYBRID_GATHER_H

#include "base/wide.h"
#include "grid/field.h"

/* The samples around eight places: offset of the lowest from `data`, and the place between them, 0 … 1. */
typedef struct gather_place {
    int32_t at[WIDE];
    wide f[3];
} gather_place;

/* `axis`: that of the field's faces, −1 for centres. */
static inline gather_place gather_find(const field *f, int axis, const wide x[3])
{
    gather_place place;
    wide_mask at = {0};
    for (int a = 0; a < 3; a++) {
        wide along = a == axis ? x[a] : x[a] - 0.5f, low = wide_floor(along);
        place.f[a] = along - low;
        at += __builtin_convertvector(low, wide_mask) * (int32_t)f->stride[a];
    }
    memcpy(place.at, &at, sizeof place.at);
    return place;
}

static inline wide gather_between(wide a, wide b, wide f)
{
    return a + f * (b - a);
}

/* The row of two samples `from` away from the lowest ones. */
static inline wide_group gather_pair(const field *f, const gather_place *place, ptrdiff_t from)
{
    return wide_pick_pairs(f->data + from, place->at);
}

static inline wide gather_value(const field *f, const gather_place *place)
{
    wide at[4];
    for (int r = 0; r < 4; r++) {
        wide_group pair = gather_pair(f, place, (r & 1) * f->stride[1] + (r >> 1) * f->stride[2]);
        at[r] = gather_between(pair.v[0], pair.v[1], place->f[0]);
    }
    return gather_between(gather_between(at[0], at[1], place->f[1]), gather_between(at[2], at[3], place->f[1]),
                          place->f[2]);
}

/* The value and its gradient, per cell. */
static inline wide gather_gradient(const field *f, const gather_place *place, wide gradient[3])
{
    wide at[4], slope[4];
    for (int r = 0; r < 4; r++) {
        wide_group pair = gather_pair(f, place, (r & 1) * f->stride[1] + (r >> 1) * f->stride[2]);
        at[r] = gather_between(pair.v[0], pair.v[1], place->f[0]);
        slope[r] = pair.v[1] - pair.v[0];
    }
    wide low = gather_between(at[0], at[1], place->f[1]), high = gather_between(at[2], at[3], place->f[1]);
    gradient[0] = gather_between(gather_between(slope[0], slope[1], place->f[1]),
                                 gather_between(slope[2], slope[3], place->f[1]), place->f[2]);
    gradient[1] = gather_between(at[1] - at[0], at[3] - at[2], place->f[2]);
    gradient[2] = high - low;
    return gather_between(low, high, place->f[2]);
}

#endif
