/* Which cells are near the surface: those with both empty and occupied cells within two cells of them. Asked and
   answered for groups of eight cells along x. */
#ifndef FR_HYBRID_NEAR_SURFACE_H
#define FR_HYBRID_NEAR_SURFACE_H

#include <string.h>

#include "hybrid/slabs.h"

enum { NEAR_SURFACE_GROUP = 8 };

typedef enum near_surface_kind { OUTSIDE, NEAR_SURFACE, DEEP_INSIDE } near_surface_kind;

typedef struct near_surface {
    domain d;
    int groups;     /* of a row */
    uint8_t *held;  /* per cell, x fastest: whether parcels are in it */
    uint8_t *kind;  /* per group: near_surface_kind */
    uint8_t *feeds; /* per group: NEAR_SURFACE where its parcels are felt in cells near the surface */
    uint8_t *spare; /* scratch, per group */
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

static inline near_surface_kind near_surface_at(const near_surface *s, int i, int j, int k)
{
    return (near_surface_kind)s->kind[near_surface_group(s, i, j, k)];
}

/* The parcels of a group that are felt in cells near the surface. */
static inline unsigned near_surface_lanes(const near_surface *s, const slabs_group *group)
{
    wide_mask cell[3];
    int32_t at[WIDE];
    unsigned marked = 0;
    slabs_cells(group->x, &s->d, cell);
    wide_mask groups = (cell[0] / NEAR_SURFACE_GROUP) + s->groups * (cell[1] + s->d.n[1] * cell[2]);
    memcpy(at, &groups, sizeof at);
    for (int l = 0; l < WIDE; l++)
        marked |= (unsigned)(s->feeds[at[l]] == NEAR_SURFACE) << l;
    return marked & group->lanes;
}

/* Whether parcels of any group of a row are. */
static inline bool near_surface_feeds_row(const near_surface *s, int j, int k)
{
    return memchr(s->feeds + near_surface_group(s, 0, j, k), NEAR_SURFACE, (size_t)s->groups);
}

#endif
