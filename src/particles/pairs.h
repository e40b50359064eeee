/* Neighbours as flat lists, found cell by cell, each with the gradient of its kernel, which sums need again and again.
   Densities and sums of gradients are computed in the same pass.

   Lengths are counted in spacings, so that the numbers kept in 16 bits are about one: with V the volume that a
   neighbour j stands for and d the spacing, its gradient is g_ij = d V ∇W(x_i − x_j). Rounding keeps g_ij = −g_ji. */
#ifndef FR_PARTICLES_PAIRS_H
#define FR_PARTICLES_PAIRS_H

#include <stdatomic.h>

#include "base/half.h"
#include "particles/cells.h"
#include "particles/kernel.h"

/* g_ij, then |x_i − x_j| as a share of the support. */
typedef uint16_t pair_record[4];

typedef struct pairs {
    uint32_t *begin;           /* first pair of each particle: 2³² of them are enough for a hundred million particles */
    int32_t *number;           /* of its pairs: even; the last may be no neighbour, with g = 0 */
    int64_t particle_room;
    int32_t *other;
    pair_record *record;
    int64_t room;              /* pairs */
    _Atomic int64_t used;
} pairs;

/* A set of particles in sorted order. */
typedef struct pairs_set {
    const cells *cells;
    const float *x, *y, *z;    /* m; room for eight more behind the last */
    const float *volume;       /* m³, in 2D m²; NULL: all the same */
    int64_t count;
} pairs_set;

/* What is summed over the neighbours of each particle, and itself when it is one of the set; NULL: it is not kept. */
typedef struct pairs_sums {
    float *density;            /* Σ V W: 1 in a fluid at rest */
    particle_vector *gradient; /* Σ g_ij; then Σ |g_ij|² */
} pairs_sums;

typedef struct pairs_search {
    kernel kernel;
    double spacing;            /* m */
    double volume;             /* that each of `near` stands for, when they have none of their own */
    pairs_set of, near;        /* the same set: a particle is not its own neighbour */
    pairs_sums sums;
} pairs_search;

fr_result pairs_reserve(pairs *p, int64_t particles, int64_t room);
void pairs_destroy(pairs *p);

/* Finds all neighbours. Grows the lists when there are more than ever before, which is the only failure. */
fr_result pairs_find(const pairs_search *search, pairs *p);

enum { PAIRS_BYTES = sizeof(int32_t) + sizeof(pair_record), PAIRS_PARTICLE_BYTES = sizeof(uint32_t) + sizeof(int32_t) };

/* Behind the last pair of a particle. */
static inline int64_t pairs_end(const pairs *p, int64_t n) { return (int64_t)p->begin[n] + p->number[n]; }

/* Two records at once: the lanes are g of the first, its distance, g of the second, its distance. */
static inline wide pairs_load(const pair_record *record)
{
    return wide_of_half(*(const half_eight_anywhere *)record);
}

#endif
