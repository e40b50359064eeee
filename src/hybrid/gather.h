/* Trilinear interpolation at eight scattered places at once; places in cells from the domain's low corner. */
#ifndef FR_HYBRID_GATHER_H
#define FR_HYBRID_GATHER_H

#include "base/wide.h"
#include "grid/field.h"

/* Eight places among samples: along each axis the one below and how far beyond it, 0 … 1; for samples on faces across
   the axis, and for those in the centres of cells. Worked out once for the components of a staggered field. */
typedef struct gather_grid {
    wide_mask low[3][2]; /* faces, centres */
    wide f[3][2];
} gather_grid;

WIDE_INLINE void gather_grid_of(const wide x[3], gather_grid *g)
{
    for (int a = 0; a < 3; a++)
        for (int centre = 0; centre < 2; centre++) {
            wide along = centre ? x[a] - 0.5f : x[a], low = wide_floor(along);
            g->f[a][centre] = along - low;
            g->low[a][centre] = __builtin_convertvector(low, wide_mask);
        }
}

/* Parcels stay this far inside the domain and outside of obstacles, in cells. */
#define GATHER_SKIN 1e-3f

/* The velocity along an axis of parcels that have been stopped where they came upon a side: none into it. */
WIDE_INLINE wide gather_stopped(const domain *d, int axis, wide x, wide v)
{
    const wide_mask below = x <= GATHER_SKIN, above = x >= (float)d->n[axis] - GATHER_SKIN;
    if (d->periodic[axis])
        return v;
    v = wide_choose(below, wide_max(v, wide_all(0)), v);
    return wide_choose(above, wide_min(v, wide_all(0)), v);
}

/* The samples around eight places: offset of the lowest from `block`, and the place between them, 0 … 1. */
typedef struct gather_place {
    size_t at[WIDE];
    wide f[3];
} gather_place;

/* `axis`: that of the field's faces, −1 for centres. */
WIDE_INLINE void gather_of(const field *f, int axis, const gather_grid *g, gather_place *place)
{
    wide_mask at = g->low[0][axis != 0] + (int32_t)(f->data - f->block);
    at += g->low[1][axis != 1] * (int32_t)f->stride[1];
    at += g->low[2][axis != 2] * (int32_t)f->stride[2];
    for (int l = 0; l < WIDE; l++)
        place->at[l] = wide_index((uint32_t)at[l]);
    for (int a = 0; a < 3; a++)
        place->f[a] = g->f[a][a != axis];
}

WIDE_INLINE void gather_find(const field *f, int axis, const wide x[3], gather_place *place)
{
    gather_grid g;
    gather_grid_of(x, &g);
    gather_of(f, axis, &g, place);
}

WIDE_INLINE wide gather_between(wide a, wide b, wide f)
{
    return a + f * (b - a);
}

/* Pairs of samples side by side along x, of places 0, 1, 4, 5 and 2, 3, 6, 7: as they are loaded. */
typedef struct gather_pairs {
    wide v[2];
} gather_pairs;

/* The pairs `from` away from the lowest ones. */
WIDE_INLINE gather_pairs gather_row(const field *f, const gather_place *place, ptrdiff_t from)
{
    typedef double pair __attribute__((aligned(4), may_alias));
    typedef double pairs __attribute__((vector_size(32)));
    const float *row = wide_base(f->block + from);
    double at[WIDE];
    for (int l = 0; l < WIDE; l++)
        at[l] = *(const pair *)(row + place->at[l]);
    return (gather_pairs){{(wide)(pairs){at[0], at[1], at[4], at[5]}, (wide)(pairs){at[2], at[3], at[6], at[7]}}};
}

/* A number of each place beside both samples of its pair. */
WIDE_INLINE gather_pairs gather_twice(wide f)
{
    return (gather_pairs){
        {__builtin_shufflevector(f, f, 0, 0, 1, 1, 4, 4, 5, 5), __builtin_shufflevector(f, f, 2, 2, 3, 3, 6, 6, 7, 7)}};
}

WIDE_INLINE gather_pairs gather_mix(gather_pairs a, gather_pairs b, gather_pairs f)
{
    return (gather_pairs){{gather_between(a.v[0], b.v[0], f.v[0]), gather_between(a.v[1], b.v[1], f.v[1])}};
}

WIDE_INLINE gather_pairs gather_less(gather_pairs a, gather_pairs b)
{
    return (gather_pairs){{a.v[0] - b.v[0], a.v[1] - b.v[1]}};
}

/* The lower and the higher sample of each pair. */
WIDE_INLINE wide gather_low(gather_pairs p)
{
    return __builtin_shufflevector(p.v[0], p.v[1], 0, 2, 8, 10, 4, 6, 12, 14);
}

WIDE_INLINE wide gather_high(gather_pairs p)
{
    return __builtin_shufflevector(p.v[0], p.v[1], 1, 3, 9, 11, 5, 7, 13, 15);
}

WIDE_INLINE wide gather_across(gather_pairs p, wide f)
{
    return gather_between(gather_low(p), gather_high(p), f);
}

WIDE_INLINE wide gather_value(const field *f, const gather_place *place)
{
    const ptrdiff_t row = f->stride[1], plane = f->stride[2];
    const gather_pairs y = gather_twice(place->f[1]), z = gather_twice(place->f[2]);
    gather_pairs low = gather_mix(gather_row(f, place, 0), gather_row(f, place, row), y);
    gather_pairs high = gather_mix(gather_row(f, place, plane), gather_row(f, place, row + plane), y);
    return gather_across(gather_mix(low, high, z), place->f[0]);
}

/* The value and its gradient, per cell. */
WIDE_INLINE wide gather_gradient(const field *f, const gather_place *place, wide gradient[3])
{
    const gather_pairs y = gather_twice(place->f[1]), z = gather_twice(place->f[2]);
    gather_pairs at[4];
    for (int r = 0; r < 4; r++)
        at[r] = gather_row(f, place, (r & 1) * f->stride[1] + (r >> 1) * f->stride[2]);
    const gather_pairs low = gather_mix(at[0], at[1], y), high = gather_mix(at[2], at[3], y),
                       all = gather_mix(low, high, z);
    gradient[0] = gather_high(all) - gather_low(all);
    gradient[1] = gather_across(gather_mix(gather_less(at[1], at[0]), gather_less(at[3], at[2]), z), place->f[0]);
    gradient[2] = gather_across(gather_less(high, low), place->f[0]);
    return gather_across(all, place->f[0]);
}

/* The value of a component of a staggered field. */
WIDE_INLINE wide gather_face(const field *f, int axis, const gather_grid *g)
{
    gather_place place;
    gather_of(f, axis, g, &place);
    return gather_value(f, &place);
}

WIDE_INLINE void gather_faces(const field f[3], int dims, const wide x[3], wide u[3])
{
    gather_grid g;
    gather_grid_of(x, &g);
    u[0] = gather_face(&f[0], 0, &g);
    u[1] = gather_face(&f[1], 1, &g);
    if (dims == 3)
        u[2] = gather_face(&f[2], 2, &g);
}

/* Two fields side by side, sample by sample (transfer_pair), around eight places. */
typedef struct gather_pairs_place {
    uint32_t at[WIDE]; /* of the lowest sample, from `block` */
    const float *row[4];
    wide f[3];
} gather_pairs_place;

WIDE_INLINE void gather_of_pairs(const field *f, int axis, const gather_grid *g, gather_pairs_place *place)
{
    wide_mask at = g->low[0][axis != 0] + (int32_t)((f->data - f->block) / 2);
    at += g->low[1][axis != 1] * (int32_t)(f->stride[1] / 2);
    at += g->low[2][axis != 2] * (int32_t)(f->stride[2] / 2);
    memcpy(place->at, &at, sizeof at);
    __asm__("" : "+m"(place->at)); /* read back one by one: taking lanes out of a register is slower */
    for (int r = 0; r < 4; r++)
        place->row[r] = wide_base(f->block + (r & 1) * f->stride[1] + (r >> 1) * f->stride[2]);
    for (int a = 0; a < 3; a++)
        place->f[a] = g->f[a][a != axis];
}

/* Four floats from each of two places. With AVX the second ones are joined to the first while they are loaded:
   compilers do not see that by themselves. */
WIDE_INLINE wide gather_fours(const float *low, const float *high)
{
#ifdef __AVX__
    return (wide)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
#else
    wide both;
    memcpy(&both, low, sizeof both / 2);
    memcpy((float *)&both + WIDE / 2, high, sizeof both / 2);
    return both;
#endif
}

/* The two samples of both fields in a row, for places l and l + 4. */
WIDE_INLINE wide gather_pairs_row(const gather_pairs_place *place, int row, int l)
{
    return gather_fours(place->row[row] + 2 * (size_t)place->at[l], place->row[row] + 2 * (size_t)place->at[l + 4]);
}

/* A number of places l and l + 4 beside each of their four floats. */
WIDE_INLINE wide gather_four_times(wide f, int l)
{
    const wide twice = __builtin_shufflevector(f, f, 0, 0, 2, 2, 4, 4, 6, 6);
    const wide other = __builtin_shufflevector(f, f, 1, 1, 3, 3, 5, 5, 7, 7);
    const wide from = l % 2 ? other : twice;
    return l < 2 ? __builtin_shufflevector(from, from, 0, 1, 0, 1, 4, 5, 4, 5)
                 : __builtin_shufflevector(from, from, 2, 3, 2, 3, 6, 7, 6, 7);
}

/* Both values. */
WIDE_INLINE void gather_value_of_pairs(const gather_pairs_place *place, wide to[2])
{
    wide all[4];
#pragma GCC unroll 4
    for (int l = 0; l < 4; l++) {
        const wide y = gather_four_times(place->f[1], l), z = gather_four_times(place->f[2], l);
        const wide low = gather_between(gather_pairs_row(place, 0, l), gather_pairs_row(place, 1, l), y);
        const wide high = gather_between(gather_pairs_row(place, 2, l), gather_pairs_row(place, 3, l), y);
        all[l] = gather_between(low, high, z);
    }
    const wide_group turned = wide_turn_fours(all);
    for (int which = 0; which < 2; which++)
        to[which] = gather_between(turned.v[which], turned.v[which + 2], place->f[0]);
}

/* The same, and the gradient of the second field, per cell. */
WIDE_INLINE void gather_gradient_of_pairs(const gather_pairs_place *place, wide to[2], wide gradient[3])
{
    wide all[4], along_y[4], along_z[4];
#pragma GCC unroll 4
    for (int l = 0; l < 4; l++) {
        const wide y = gather_four_times(place->f[1], l), z = gather_four_times(place->f[2], l);
        const wide a = gather_pairs_row(place, 0, l), b = gather_pairs_row(place, 1, l);
        const wide c = gather_pairs_row(place, 2, l), d = gather_pairs_row(place, 3, l);
        const wide low = gather_between(a, b, y), high = gather_between(c, d, y);
        all[l] = gather_between(low, high, z);
        along_y[l] = gather_between(b - a, d - c, z);
        along_z[l] = high - low;
    }
    const wide_group value = wide_turn_fours(all), y = wide_turn_fours(along_y), z = wide_turn_fours(along_z);
    for (int which = 0; which < 2; which++)
        to[which] = gather_between(value.v[which], value.v[which + 2], place->f[0]);
    gradient[0] = value.v[3] - value.v[1];
    gradient[1] = gather_between(y.v[1], y.v[3], place->f[0]);
    gradient[2] = gather_between(z.v[1], z.v[3], place->f[0]);
}

/* Two staggered fields of the same layout at the same places. */
WIDE_INLINE void gather_both(const field f[3], const field h[3], int dims, const wide x[3], wide u[3], wide v[3])
{
    gather_grid g;
    gather_grid_of(x, &g);
    for (int a = 0; a < dims; a++) {
        gather_place place;
        gather_of(&f[a], a, &g, &place);
        u[a] = gather_value(&f[a], &place);
        v[a] = gather_value(&h[a], &place);
    }
}

#endif
