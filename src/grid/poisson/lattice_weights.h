/* The operator on every level: weights, extras, flags and block codes.

   Coarse weights are in terms of the same equation: a coarse face's weight is the mean of the fine ones it covers,
   its coefficient c·r_b·r_c / r_a with r = 2 along halved axes and 1 along others (area by distance); the extra is
   the sum of the children's.

   Plates on odd faces would vanish inside coarse cells: where the face between two siblings is closed and the left
   one's other face open, the left sibling is given to the left neighbour as parent, and the part of its face, now
   inside one parent, is taken off the coarse face. */
#ifndef FR_GRID_POISSON_LATTICE_WEIGHTS_H
#define FR_GRID_POISSON_LATTICE_WEIGHTS_H

#include "grid/poisson/lattice_level.h"
#include "grid/poisson/poisson.h"

/* Fills the finest level and marks the cells that are given to other parents. Its coefficients must be set. */
void lattice_weights_take(lattice *finest, const poisson_operator *op);

/* The same for a level from the next finer one. Sets its coefficients and base too. */
void lattice_weights_coarsen(const lattice *fine, lattice *coarse);

/* Which axes to halve: those with more than one cell whose coefficient is not far below the largest. False when the
   level is small enough to be the coarsest. */
bool lattice_weights_choose(lattice *l);

#endif
