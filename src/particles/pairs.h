/* Neighbour lists, found cell by cell. Each pair stores its kernel gradient, which the solvers need many times.
   Densities and sums of gradients are computed in the same pass.

   Gradients are scaled by the spacing d, so that the 16-bit numbers are of order one: with V the volume of neighbour j,
   g_ij = d V ∇W(x_i − x_j). Rounding preserves g_ij = −g_ji. */
#ifndef FR_PARTICLES_PAIRS_H
#define FR_PARTICLES_PAIRS_H

#include <stdatomic.h>

#include "base/half.h"
#include "particles/cells.h"
#include "particles/kernel.h"

/* g_ij, then |x_i − x_j| relative to the support, as 16-bit floats. */
typedef uint16_t pair_record[4];

typedef struct pairs {
    uint32_t *begin;           /* first pair of each particle; 2³² pairs are enough for a hundred million particles */
    int32_t *number;           /* of pairs of each particle: even; the last one may be padding with g = 0 */
    int64_t particle_room;
    int32_t *other;
    pair_record *record;
    int64_t room;              /* pairs */
    _Atomic int64_t used;
} pairs;

/* A set of particles in sorted order. */
typedef struct pairs_set {
    const cells *cells;
    const float *x, *y, *z;    /* m; with room for eight more */
    const float *volume;       /* m³, in 2D m²; NULL: all the same */
    int64_t count;
} pairs_set;

/* Sums over the neighbours of each particle, and itself if it is in the set. NULL: not wanted. */
typedef struct pairs_sums {
    float *density;            /* Σ V W: 1 in a fluid at rest */
    particle_vector *gradient; /* Σ g_ij; the fourth component is Σ |g_ij|² */
} pairs_sums;

typedef struct pairs_search {
    kernel kernel;
    double spacing;            /* m */
    double volume;             /* of each particle of `near`, if they have no individual volumes */
    pairs_set of, near;        /* neighbours of `of` among `near`; in one set no particle is its own neighbour */
    pairs_sums sums;
} pairs_search;

fr_result pairs_reserve(pairs *p, int64_t particles, int64_t room);
void pairs_destroy(pairs *p);

/* Finds all neighbours. Grows the lists if they are too short; fails only if memory runs out then. */
fr_result pairs_find(const pairs_search *search, pairs *p);

enum { PAIRS_BYTES = sizeof(int32_t) + sizeof(pair_record), PAIRS_PARTICLE_BYTES = sizeof(uint32_t) + sizeof(int32_t) };

/* One past the last pair of a particle. */
static inline int64_t pairs_end(const pairs *p, int64_t n) { return (int64_t)p->begin[n] + p->number[n]; }

/* Loads two records: the lanes are g and distance of the first, g and distance of the second. */
static inline wide pairs_load(const pair_record *record)
{
    return wide_of_half(*(const half_eight_anywhere *)record);
}

#endif
