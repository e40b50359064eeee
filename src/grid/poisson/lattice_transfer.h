/* Transfer between a level and the next coarser one.

   The prolongation uses the weights, so that nothing leaks through walls:

     child = parent + ¼ Σ w (neighbour − parent)

   summed over the halved axes; `neighbour` is the parent's neighbour on the child's side, w the coarse weight of the
   face between them. The restriction is the exact transpose. A moved child (FLAG_MOVED) gets the value of its own
   parent only. Both handle colour 0 only: after sweeps that end with colour 1 the residual of colour 1 is zero, and the
   post-sweeps begin by overwriting colour 1. At clashing seams neither holds, and both colours are transferred. */
#ifndef FR_GRID_POISSON_LATTICE_TRANSFER_H
#define FR_GRID_POISSON_LATTICE_TRANSFER_H

#include "grid/poisson/lattice_moved.h"

/* coarse.b = Pᵀ (fine.b − A fine.x). Overwrites coarse.x and coarse.side. */
void lattice_restrict(const lattice *fine, const lattice *coarse);

/* fine.x += P coarse.x, as a pass over the fine level; context: a lattice_pair. */
void lattice_prolong_strip(void *context, const lattice_strip *strip);
void lattice_prolong_renew(void *context);

#endif
