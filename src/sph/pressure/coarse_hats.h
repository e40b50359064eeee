/* Linear hats on the grid of the coarse-grid correction (sph/pressure/coarse.h): where eight places lie among the
   centres of cells, what they take from these and what they share out to them. */
#ifndef FR_SPH_PRESSURE_COARSE_HATS_H
#define FR_SPH_PRESSURE_COARSE_HATS_H

#include "sph/pressure/coarse_space.h"
#include "sph/pressure/sums.h"

/* The eight cells around each place: the first of them, and the part of the second ones along each axis. Beyond the
   last cell of a periodic axis comes a ghost of the first; beyond those at closed sides there is nothing. */
typedef struct coarse_spots {
    wide_mask at;
    wide part[3];
} coarse_spots;

static inline coarse_spots coarse_spots_of(const sph_coarse *c, const wide place[3])
{
    const wide none = {0};
    coarse_spots spots = {0};
    for (int a = 0; a < 3; a++) {
        wide along = (place[a] - c->first[a]) * c->per_edge[a];
        along += wide_keep(along < none, none + c->period[a]);
        along = wide_min(wide_max(along, none), none + c->most[a]);
        wide_mask low = __builtin_convertvector(along, wide_mask);
        spots.at += low * (int32_t)c->error.stride[a];
        spots.part[a] = along - __builtin_convertvector(low, wide);
    }
    return spots;
}

static inline wide coarse_between(wide low, wide high, wide part)
{
    return low + part * (high - low);
}

/* A field between two rows of cells. */
static inline wide coarse_look_layer(const float *data, ptrdiff_t row, const coarse_spots *spots)
{
    const int32_t *at = (const int32_t *)&spots->at;
    wide_group low = wide_pick_pairs(data, at), high = wide_pick_pairs(data + row, at);
    return coarse_between(coarse_between(low.v[0], low.v[1], spots->part[0]),
                          coarse_between(high.v[0], high.v[1], spots->part[0]), spots->part[1]);
}

static inline wide coarse_look(const field *f, const coarse_spots *spots)
{
    wide front = coarse_look_layer(f->data, f->stride[1], spots);
    if (f->stride[2] == 0)
        return front;
    return coarse_between(front, coarse_look_layer(f->data + f->stride[2], f->stride[1], spots), spots->part[2]);
}

/* Adds the sums of the lanes to a cell and the next along x, in one row and the next. */
static inline void coarse_add_layer(float *to, ptrdiff_t row, const coarse_spots *spots, wide value)
{
    wide above = spots->part[1] * value, below = value - above, after = spots->part[0] * below,
         above_after = spots->part[0] * above;
    float sums[4];
    wide_sums((const wide[4]){below - after, after, above - above_after, above_after}, sums);
    to[0] += sums[0];
    to[1] += sums[1];
    to[row] += sums[2];
    to[row + 1] += sums[3];
}

/* Shares out the values of the lanes `there`. Particles are sorted: most of eight in a row lie between the same cells,
   to which they are added as one. */
static inline void coarse_add(coarse_part *to, const ptrdiff_t stride[3], const coarse_spots *spots, wide value,
                              wide_mask there)
{
    for (unsigned left = wide_bits(there); left;) {
        int32_t at = spots->at[__builtin_ctz(left)];
        wide_mask same = (spots->at == at) & there;
        wide own = wide_keep(same, value), back = spots->part[2] * own;
        left &= ~wide_bits(same);
        coarse_add_layer(to->data + at, stride[1], spots, own - back);
        if (stride[2])
            coarse_add_layer(to->data + at + stride[2], stride[1], spots, back);
        to->low = at < to->low ? at : to->low;
        to->high = at > to->high ? at : to->high;
    }
}

#endif
