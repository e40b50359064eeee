/* Which cells are near the surface: those with both empty and occupied cells within two cells of them. Kept as bits of
   groups of eight cells along x. */
#ifndef FR_HYBRID_NEAR_SURFACE_H
#define FR_HYBRID_NEAR_SURFACE_H

#include <string.h>

#include "hybrid/eight.h"
#include "hybrid/slabs.h"

enum { NEAR_SURFACE_GROUP = 8 };

/* Bits of the cells of a group: those in `low` in the lower byte, those in `high` in the upper one. */
typedef uint16_t near_surface_bits;

static inline near_surface_bits near_surface_both(unsigned low, unsigned high)
{
    return (near_surface_bits)((low & 0xffu) | (high & 0xffu) << 8);
}

typedef struct near_surface {
    domain d;
    int groups;               /* of a row */
    uint8_t *held;            /* per cell, x fastest: whether parcels are in it */
    near_surface_bits *kind;  /* per group: low, cells near the surface; high, those deep inside */
    near_surface_bits *feeds; /* per group: low, cells whose parcels are felt in cells near the surface */
    near_surface_bits *spare; /* scratch, per group */
} near_surface;

fr_result near_surface_create(const domain *d, near_surface *out);
void near_surface_destroy(near_surface *s);
size_t near_surface_bytes(const domain *d);

/* Finds them for the parcels as they lie now. */
void near_surface_find(near_surface *s, const parcels *p);

static inline int64_t near_surface_group(const near_surface *s, int i, int j, int k)
{
    return i / NEAR_SURFACE_GROUP + s->groups * (j + (int64_t)s->d.n[1] * k);
}

/* Those of the group that a cell is in: near the surface, and deep inside. */
static inline unsigned near_surface_near(const near_surface *s, int i, int j, int k)
{
    return s->kind[near_surface_group(s, i, j, k)] & 0xffu;
}

static inline unsigned near_surface_deep(const near_surface *s, int i, int j, int k)
{
    return s->kind[near_surface_group(s, i, j, k)] >> 8;
}

/* The parcels of a group that are felt in cells near the surface. */
static inline unsigned near_surface_lanes(const near_surface *s, const slabs_group *group)
{
    wide_mask cell[3];
    int32_t at[WIDE], bit[WIDE];
    unsigned marked = 0;
    eight_cells(group->x, &s->d, cell);
    wide_mask groups = (cell[0] / NEAR_SURFACE_GROUP) + s->groups * (cell[1] + s->d.n[1] * cell[2]);
    wide_mask bits = cell[0] % NEAR_SURFACE_GROUP;
    memcpy(at, &groups, sizeof at);
    memcpy(bit, &bits, sizeof bit);
    for (int l = 0; l < WIDE; l++)
        marked |= (unsigned)(s->feeds[at[l]] >> bit[l] & 1) << l;
    return marked & group->lanes;
}

/* Whether parcels of any group of a row are. */
static inline bool near_surface_feeds_row(const near_surface *s, int j, int k)
{
    const near_surface_bits *row = s->feeds + near_surface_group(s, 0, j, k);
    unsigned any = 0;
    for (int g = 0; g < s->groups; g++)
        any |= row[g];
    return any;
}

#endif
