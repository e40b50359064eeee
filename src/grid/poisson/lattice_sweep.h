/* Passes over one level: red–black Gauss–Seidel and the product A v.

   Each half sweep over one colour is a projection. Pre-sweeps in the order 0, 1 and post-sweeps in the order 1, 0 make
   the cycle symmetric (Adams, Brezina, Hu and Tuminaro 2003, section 3). Where a periodic axis has an odd number of
   cells, cells of one colour are neighbours at the seam. There the ghosts hold the values from before the half sweep: a
   Jacobi step, which keeps the symmetry. In liquids the half sweeps that are neither the first two nor next to the
   coarser level are overdone. All half sweeps share one pass through memory (lattice_chain). */
#ifndef FR_GRID_POISSON_LATTICE_SWEEP_H
#define FR_GRID_POISSON_LATTICE_SWEEP_H

#include "grid/poisson/lattice_chain.h"

/* Sweeps from x = 0 with colours 0, 1, 0, 1 …; the first half sweep is x = b / D. `before`, if given, is a pass that
   computes b; it may leave any values in x. */
void lattice_smooth_first(const lattice *l, const lattice_pass *before, int sweeps);

/* Adds the correction of the next coarser level, if one is given, then sweeps with colours 1, 0, 1, 0 …; `dot`, if
   given, gets Σ x b of each colour per item. */
void lattice_smooth_last(const lattice *l, const lattice *coarse, int sweeps, double *const dot[2]);

/* out = v / D in both colours; `dot` gets Σ out v. */
void lattice_divide(const lattice *l, const lattice_vector *v, const lattice_vector *out, double *dot);

/* out = A v in both colours, as a pass; `dot` gets Σ out v. */
typedef struct lattice_product {
    const lattice *l;
    const lattice_vector *v, *out;
    double *dot;
} lattice_product;
void lattice_apply_strip(void *context, const lattice_strip *strip);
void lattice_apply_renew(void *context);

#endif
