/* The operator on every level: weights, extras, flags and block codes.

   A coarse face's weight is the mean of the fine ones it covers. Its coefficient is c·r_b·r_c / r_a (area over
   distance), with r = 2 along halved axes and 1 along others. The extra is the sum of the children's; with a surface,
   of what they are held by (lattice_coarsen.c).

   A thin plate on an odd face would vanish inside a coarse cell. So where the face between two siblings is closed and
   the left sibling's other face is open, the left sibling is moved: its parent is the left neighbour of the usual one.
   Its open face is then inside one parent, so its share is taken off the coarse face. In liquids the right sibling is
   moved on to the right where the left one cannot be moved. */
#ifndef FR_GRID_POISSON_LATTICE_WEIGHTS_H
#define FR_GRID_POISSON_LATTICE_WEIGHTS_H

#include "grid/poisson/lattice_level.h"
#include "grid/poisson/poisson.h"

/* Fills the finest level and marks the moved cells. Its coefficients must be set. */
void lattice_weights_take(lattice *finest, const poisson_operator *op);

/* The same for a coarser level, from the next finer one. Sets its coefficients and base too. */
void lattice_weights_coarsen(const lattice *fine, lattice *coarse);

/* Which axes to halve: those with more than one cell whose coefficient is not far below the largest. False when the
   level is small enough to be the coarsest. */
bool lattice_weights_choose(lattice *l);

#endif
