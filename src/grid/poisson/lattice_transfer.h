/* Between a level and the next coarser one.

   Prolongation, aware of the weights so that nothing leaks through walls:

     child = parent + ¼ Σ w (neighbour − parent)

   over the axes that were halved, the neighbour being the parent's on the child's side and w the coarse weight of
   the face towards it. The restriction is the exact transpose. A moved child (FLAG_MOVED) has the value of its own
   parent alone. Both treat colour 0 only: after sweeps that end with colour 1 the residual vanishes there, and
   sweeps that begin with it overwrite it. At clashing seams neither holds, and both colours take part. */
#ifndef FR_GRID_POISSON_LATTICE_TRANSFER_H
#define FR_GRID_POISSON_LATTICE_TRANSFER_H

#include "grid/poisson/lattice_moved.h"

/* coarse.b = Pᵀ (fine.b − A fine.x). Overwrites coarse.x and coarse.side. */
void lattice_restrict(const lattice *fine, const lattice *coarse);

/* fine.x += P coarse.x, as a pass over the fine level; context: a lattice_pair. */
void lattice_prolong_strip(void *context, const lattice_strip *strip);
void lattice_prolong_renew(void *context);

#endif
