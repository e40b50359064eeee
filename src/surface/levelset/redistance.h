/* What both ways of redistancing share: the cells beside the surface. */
#ifndef FR_SURFACE_LEVELSET_REDISTANCE_H
#define FR_SURFACE_LEVELSET_REDISTANCE_H

#include "surface/levelset/band.h"

typedef struct redistance_job {
    levelset *ls;
    field *phi;
    float h[3], per_h[3]; /* m, 1/m; 0 for an axis that the scene lacks */
    float settled;  /* m: changes by less end the passes, */
    float stays;    /* and those of cells beside the surface are not made */
} redistance_job;

/* Sets the cells beside the surface to their distance and notes them in `beside`: they are then held. The list is as
   band_update leaves it. */
void redistance_begin(levelset *ls, field *phi, redistance_job *job);

/* Which of eight cells are held; `cell` is the place of the first in the compact arrays. */
static inline wide_mask redistance_held(const levelset *ls, size_t cell)
{
    const wide_mask lane = {1, 2, 4, 8, 16, 32, 64, 128};
    return (((int32_t)ls->beside[cell / WIDE] + (wide_mask){0}) & lane) != 0;
}

/* Beside a block's colour: all of its cells are to be looked at. */
enum { REDISTANCE_WHOLE = 4 };

/* What has become of a block in its turn, in `partial`. */
enum { REDISTANCE_LEFT = 1, REDISTANCE_GROWN = 2, REDISTANCE_CHANGED = 4 };

/* Cells of a block in the order in which they take their distance. */
typedef struct spread_order {
    int count;
    uint16_t *at;  /* places in a patch, */
    int32_t *away; /* and in φ, from the block's first cell */
} spread_order;

/* What is known of a block between its turns; bits of the cells of its rows. */
typedef struct spread_memory {
    uint16_t count, at[BLOCK_CELLS]; /* its order */
    uint16_t changed[BLOCK_ROWS];    /* in its last turn */
    uint16_t stale[BLOCK_ROWS];      /* those that see cells of other blocks which have changed since */
} spread_memory;

_Static_assert(sizeof(spread_memory) <= BLOCK_CELLS * sizeof(float), "it is kept in the place of old values");

static inline spread_memory *spread_memory_of(const levelset *ls, int m)
{
    return (spread_memory *)(void *)(ls->old + (size_t)m * BLOCK_CELLS);
}

/* The rest of its order, in the place of the next values. */
static inline int32_t *spread_away_of(const levelset *ls, int m)
{
    return (int32_t *)(void *)(ls->next + (size_t)m * BLOCK_CELLS);
}

/* Lets the blocks whose places in the list are turn[begin … end − 1] take their turns. */
void redistance_take_turns(void *job, int begin, int end);

#endif
