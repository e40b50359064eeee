/* The liquid's implicit function on the nodes of a lattice, in blocks that are stored only near the surface.

   A node is in the liquid when its value is negative. Blocks are numbered along x, then y, then z. The positions of the
   nodes depend on the frame's domain only, not on the particles, so that surfaces at rest do not flicker in films. */
#ifndef FR_SURFACE_BLOCKS_H
#define FR_SURFACE_BLOCKS_H

#include "surface/sampler.h"

enum { BLOCK_SIDE = 4, BLOCK_NODES = BLOCK_SIDE * BLOCK_SIDE * BLOCK_SIDE };

/* Table entries of blocks that are not stored: all air, all liquid. */
enum { BLOCK_OUTSIDE = -1, BLOCK_INSIDE = -2 };

typedef struct block {
    int at[3];                   /* index in the table */
    float value[BLOCK_NODES];    /* m, x first */
} block;

typedef struct blocks {
    const sampler *sampler;
    double cell;                 /* m, between nodes */
    double origin[3];            /* m from sampler->low: node 0 of block 0 */
    int n[3];                    /* size of the table, in blocks */
    int32_t *table;              /* index into `stored`, or BLOCK_OUTSIDE or BLOCK_INSIDE */
    block *stored;
    int32_t count;
} blocks;

/* `origin`: the position of one node of the lattice, m. Any two neighbouring nodes of different sign are both in stored
   blocks. */
fr_result blocks_create(const sampler *s, const double origin[3], double cell, blocks *out);
void blocks_destroy(blocks *b);

static inline size_t blocks_index(const blocks *b, const int at[3])
{
    return ((size_t)at[2] * (size_t)b->n[1] + (size_t)at[1]) * (size_t)b->n[0] + (size_t)at[0];
}

static inline int block_node(int i, int j, int k)
{
    return (k * BLOCK_SIDE + j) * BLOCK_SIDE + i;
}

/* Position of a node, m from sampler->low. */
static inline void blocks_place(const blocks *b, const block *block, const int node[3], float place[3])
{
    for (int a = 0; a < 3; a++)
        place[a] = (float)(b->origin[a] + (block->at[a] * BLOCK_SIDE + node[a]) * b->cell);
}

#endif
