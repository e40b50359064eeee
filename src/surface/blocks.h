/* The liquid's implicit function on the nodes of a lattice, in blocks that are stored only near the surface.

   A node is in the liquid when its value is negative. Blocks are numbered along x, then y, then z. */
#ifndef FR_SURFACE_BLOCKS_H
#define FR_SURFACE_BLOCKS_H

#include "surface/source.h"

enum { BLOCK_SIDE = 4, BLOCK_NODES = BLOCK_SIDE * BLOCK_SIDE * BLOCK_SIDE };

/* Table entries: all air, all liquid; while the table is filled, to be stored. */
enum { BLOCK_OUTSIDE = -1, BLOCK_INSIDE = -2, BLOCK_NEAR = -3 };

typedef struct block {
    int node[3];                 /* its first node in the lattice */
    float value[BLOCK_NODES];    /* m, x first */
} block;

typedef struct blocks {
    const source *source;
    int first[3], n[3];          /* the table covers n blocks along each axis from this one on */
    int32_t *table;              /* index into `stored`, or BLOCK_OUTSIDE or BLOCK_INSIDE */
    block *stored;
    int32_t count;
} blocks;

/* Any two neighbouring nodes of different sign are both in stored blocks. So are the nodes in the liquid on the sides
   of the domain. */
fr_result blocks_create(const source *s, blocks *out);
void blocks_destroy(blocks *b);

/* The window of a block: its nodes, and those around them from one below to two above. */
enum { WINDOW_SIDE = BLOCK_SIDE + 3, WINDOW_NODES = WINDOW_SIDE * WINDOW_SIDE * WINDOW_SIDE };

/* Nodes beyond the lattice get the value 0. */
void blocks_window(const blocks *b, const block *block, float window[WINDOW_NODES]);

/* `at` is relative to the table. */
static inline size_t blocks_index(const blocks *b, const int at[3])
{
    return ((size_t)at[2] * (size_t)b->n[1] + (size_t)at[1]) * (size_t)b->n[0] + (size_t)at[0];
}

/* The table's entry for the block with that first node. */
static inline int32_t blocks_find(const blocks *b, const int node[3])
{
    int at[3];
    for (int a = 0; a < 3; a++) {
        if (node[a] < BLOCK_SIDE * b->first[a])
            return BLOCK_OUTSIDE;
        at[a] = node[a] / BLOCK_SIDE - b->first[a];
        if (at[a] >= b->n[a])
            return BLOCK_OUTSIDE;
    }
    return b->table[blocks_index(b, at)];
}

static inline int block_node(int i, int j, int k)
{
    return (k * BLOCK_SIDE + j) * BLOCK_SIDE + i;
}

/* Index in a window of the node (i, j, k) of its block. */
static inline int window_node(int i, int j, int k)
{
    return ((k + 1) * WINDOW_SIDE + j + 1) * WINDOW_SIDE + i + 1;
}

#endif
