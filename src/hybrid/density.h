/* The density of parcels at the centres of cells: Σ w with trilinear weights, ghosts included. */
#ifndef FR_HYBRID_DENSITY_H
#define FR_HYBRID_DENSITY_H

#include "hybrid/slabs.h"
#include "hybrid/splat.h"

/* What eight parcels add to the centres around them: two layers of four. */
typedef struct density_layers {
    int32_t at[WIDE];
    splat_row layer[2];
} density_layers;

static inline void density_of(const sums *density, const slabs_group *group, density_layers *to)
{
    splat_place place = splat_find(&density->layout, -1, group->x);
    memcpy(to->at, &place.at, sizeof to->at);
    for (int k = 0; k < 2; k++) {
        wide weight[4];
        for (int c = 0; c < 4; c++)
            weight[c] = place.share[0][c & 1] * place.share[1][c >> 1] * place.share[2][k];
        splat_turn(weight, &to->layer[k]);
    }
}

static inline void density_add(const sums *density, const density_layers *from, int lane)
{
    const ptrdiff_t row = density->layout.stride[1], plane = density->layout.stride[2];
    float *at = density->data + from->at[lane];
    splat_add_pairs(at, row, &from->layer[0], lane);
    splat_add_pairs(at + plane, row, &from->layer[1], lane);
}

#endif
