/* Between a level and the next coarser one.

   Prolongation, aware of the weights so that nothing leaks through walls:

     child = parent + ¼ Σ w (neighbour − parent)

   over the axes that were halved, the neighbour being the parent's on the child's side and w the coarse weight of
   the face towards it. The restriction is the exact transpose. A moved child (FLAG_MOVED) has the value of its own
   parent alone. Both treat colour 0 only: after sweeps that end with colour 1 the residual vanishes there, and
   sweeps that begin with it overwrite it. At clashing seams neither holds, and both colours take part. */
#ifndef FR_GRID_LATTICE_TRANSFER_H
#define FR_GRID_LATTICE_TRANSFER_H

#include "grid/lattice_level.h"

/* coarse.b = Pᵀ (fine.b − A fine.x). Overwrites coarse.x and coarse.side. */
void lattice_restrict(const lattice *fine, const lattice *coarse);

/* fine.x += P coarse.x, as a pass over the fine level. */
typedef struct lattice_pair {
    const lattice *fine, *coarse;
} lattice_pair;
void lattice_prolong_strip(void *context, const lattice_strip *strip);
void lattice_prolong_renew(void *context);

/* A cell of the fine level whose parent lies in a given row of the coarse level by being moved. */
typedef struct lattice_moved {
    int colour, j, k;
    ptrdiff_t slot;      /* from row (0, 0) */
    int parent;          /* i of the parent */
} lattice_moved;
typedef void (*lattice_moved_visit)(void *context, const lattice_moved *cell);

/* Visits all cells that were moved into row (j, k) of the coarse level, in a fixed order. */
void lattice_visit_moved(const lattice *fine, const lattice *coarse, const int row[2], lattice_moved_visit visit,
                         void *context);

#endif
