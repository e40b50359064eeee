/* Adding to the grid, four floats at a time, for eight parcels at once. */
#ifndef FR_HYBRID_SPLAT_H
#define FR_HYBRID_SPLAT_H

#include "base/wide.h"
#include "hybrid/sums.h"

typedef float four __attribute__((vector_size(16)));
typedef float four_anywhere __attribute__((vector_size(16), aligned(4)));

/* The samples around eight places: number of the lowest, and the weights of the lower and the higher along each axis.
 */
typedef struct splat_place {
    wide_mask at;
    wide share[3][2];
} splat_place;

/* `axis`: that of the layout's faces, −1 for centres; x in cells. */
WIDE_INLINE splat_place splat_find(const field *layout, int axis, const wide x[3])
{
    splat_place place = {.at = {0}};
    for (int a = 0; a < 3; a++) {
        wide along = a == axis ? x[a] : x[a] - 0.5f, low = wide_floor(along);
        place.share[a][1] = along - low;
        place.share[a][0] = 1 - place.share[a][1];
        place.at += __builtin_convertvector(low, wide_mask) * (int32_t)layout->stride[a];
    }
    return place;
}

/* Four floats for each of eight parcels: 0, 4, 1, 5, 2, 6, 3, 7. Written as whole vectors: the compiler would copy an
   array of them word by word. */
typedef union splat_row {
    wide both[4];
    four of[WIDE];
} splat_row;

/* Transposes: v[n] holds float n of all eight parcels. */
WIDE_INLINE void splat_turn(const wide v[4], splat_row *row)
{
    wide a = __builtin_shufflevector(v[0], v[1], 0, 8, 1, 9, 4, 12, 5, 13);
    wide b = __builtin_shufflevector(v[2], v[3], 0, 8, 1, 9, 4, 12, 5, 13);
    wide c = __builtin_shufflevector(v[0], v[1], 2, 10, 3, 11, 6, 14, 7, 15);
    wide d = __builtin_shufflevector(v[2], v[3], 2, 10, 3, 11, 6, 14, 7, 15);
    row->both[0] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
    row->both[1] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    row->both[2] = __builtin_shufflevector(c, d, 0, 1, 8, 9, 4, 5, 12, 13);
    row->both[3] = __builtin_shufflevector(c, d, 2, 3, 10, 11, 6, 7, 14, 15);
}

/* Those of one parcel. */
static inline four splat_of(const splat_row *row, int lane)
{
    return row->of[2 * (lane % 4) + lane / 4];
}

/* Transposes eight floats of eight parcels: to[l] holds those of parcel l. */
WIDE_INLINE void splat_turn_eight(const wide v[WIDE], wide to[WIDE])
{
    splat_row first, second;
    splat_turn(v, &first);
    splat_turn(v + 4, &second);
    for (int l = 0; l < 4; l++) {
        to[l] = __builtin_shufflevector(first.both[l], second.both[l], 0, 1, 2, 3, 8, 9, 10, 11);
        to[l + 4] = __builtin_shufflevector(first.both[l], second.both[l], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

typedef float two __attribute__((vector_size(8)));
typedef float two_anywhere __attribute__((vector_size(8), aligned(4)));

/* Two floats for each of eight parcels: 0, 1, 4, 5, 2, 3, 6, 7. */
typedef union splat_pair {
    wide both[2];
    two of[WIDE];
} splat_pair;

WIDE_INLINE void splat_turn_pair(wide low, wide high, splat_pair *pair)
{
    pair->both[0] = __builtin_shufflevector(low, high, 0, 8, 1, 9, 4, 12, 5, 13);
    pair->both[1] = __builtin_shufflevector(low, high, 2, 10, 3, 11, 6, 14, 7, 15);
}

static inline two splat_pair_of(const splat_pair *pair, int lane)
{
    return pair->of[lane % 2 + 4 * (lane / 2 % 2) + 2 * (lane / 4)];
}

/* The first two floats of a parcel go to one row, the others to the next. */
static inline void splat_add_pairs(float *to, ptrdiff_t next, const splat_row *row, int lane)
{
    const four v = splat_of(row, lane);
    *(two_anywhere *)to += __builtin_shufflevector(v, v, 0, 1);
    *(two_anywhere *)(to + next) += __builtin_shufflevector(v, v, 2, 3);
}

static inline void splat_add(float *to, const splat_row *row, int lane)
{
    *(four_anywhere *)to += splat_of(row, lane);
}

#endif
