/* Parents and children between two adjacent levels, including the moved cells (FLAG_MOVED, FLAG_MOVED_ON), whose parent
   is the left or right neighbour of the usual one. */
#ifndef FR_GRID_POISSON_LATTICE_MOVED_H
#define FR_GRID_POISSON_LATTICE_MOVED_H

#include "grid/poisson/lattice_level.h"

/* A level and the next coarser one. */
typedef struct lattice_pair {
    const lattice *fine, *coarse;
} lattice_pair;

/* Whether the prolongation has a slope along an axis: it was halved and the parent has neighbours there. */
static inline bool lattice_slopes(const lattice_pair *pair, int axis)
{
    return pair->fine->coarsen[axis] && pair->coarse->n[axis] > 1;
}

/* The parent's index along an axis of a cell with these flags. */
static inline int lattice_parent(const lattice_pair *pair, int axis, int index, unsigned flags)
{
    int parent = pair->fine->coarsen[axis] ? index >> 1 : index;
    parent += (flags & (unsigned)FLAG_MOVED_ON << axis ? 1 : 0) - (flags & (unsigned)FLAG_MOVED << axis ? 1 : 0);
    return parent < 0 ? pair->coarse->n[axis] - 1 : parent;
}

/* Fine index of child 0 or 1 of a parent. Numbers −1 and 2 are the last child of the left neighbour and the first one
   of the right neighbour, which may have been moved to this parent; for the last parent 2 lies across the periodic
   seam. Returns n or more where there is none. */
int lattice_child(const lattice_pair *pair, int axis, int parent, int number);

/* A moved cell of the fine level whose parent lies in a given row of the coarse level. */
typedef struct lattice_moved {
    int colour, j, k;
    ptrdiff_t slot;      /* from row (0, 0) */
    int parent;          /* i of the parent */
} lattice_moved;
typedef void (*lattice_moved_visit)(void *context, const lattice_moved *cell);

/* Visits all cells of the first `colours` colours that were moved into row (j, k) of the coarse level, in a fixed
 * order. */
void lattice_visit_moved(const lattice_pair *pair, const int row[2], int colours, lattice_moved_visit visit,
                         void *context);

#endif
