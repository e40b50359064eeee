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
    uint32_t *row_feeds;      /* per row: bits of its groups with cells that are felt (near_surface_span) */
    const slabs_packet *packets; /* of the parcels as they lay when it was found, in their scratch memory `order`: those
                                    that are not felt are silent */
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

/* The bits that stand for groups first … last of a row: one each, or some together where there are more than 32. */
static inline uint32_t near_surface_span(const near_surface *s, int first, int last)
{
    const int each = (s->groups + 31) / 32;
    return (uint32_t)((2ull << last / each) - (1ull << first / each));
}

/* Whether parcels of any group of a row are, and a span of cells with all of them; beyond its ends too. */
static inline bool near_surface_felt(const near_surface *s, int j, int k, int span[2])
{
    const uint32_t felt = s->row_feeds[j + (int64_t)s->d.n[1] * k];
    const int cells = (s->groups + 31) / 32 * NEAR_SURFACE_GROUP;
    if (!felt)
        return false;
    const int begin = __builtin_ctz(felt) * cells, end = (32 - __builtin_clz(felt)) * cells;
    span[0] = begin > 0 ? begin : span[0];
    span[1] = end < s->d.n[0] ? end : span[1];
    return true;
}

#endif
