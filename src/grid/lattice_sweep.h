/* Passes over one level: red–black Gauss–Seidel and the product A v.

   With the colours in turn, each half sweep is a projection; pre-sweeps 0, 1 and post-sweeps 1, 0 make the cycle
   symmetric (Adams, Brezina, Hu and Tuminaro 2003, section 3). Where a periodic axis has an odd number of cells,
   cells of one colour meet at the seam: there the ghosts hold the values from before the half sweep, a Jacobi step,
   which keeps the symmetry. */
#ifndef FR_GRID_LATTICE_SWEEP_H
#define FR_GRID_LATTICE_SWEEP_H

#include "grid/lattice_level.h"

/* x = b / D in colour 0: the first half sweep from x = 0. */
void lattice_sweep_first(const lattice *l);

/* One half sweep of x. Where `dot` is given, it takes Σ x b of this colour for every item. */
void lattice_sweep(const lattice *l, int colour, double *dot);

/* out = v / D in both colours; `dot` takes Σ out v. */
void lattice_divide(const lattice *l, const lattice_vector *v, const lattice_vector *out, double *dot);

/* out = A v in both colours; `dot` takes Σ out v. */
void lattice_apply(const lattice *l, const lattice_vector *v, const lattice_vector *out, double *dot);

#endif
