/* A Jacobi sweep for the Laplacian in grid coordinates (Barroso & Celes, eq. 18), divided by 2 (k_s + k_t + k_r):

     x' = right + damp·[ (x_E + x_W) k_s + (x_E − x_W) k_ss + … + (x_NE + x_SW − x_NW − x_SE) k_st + … ]

   The coefficients of the neighbours along the axes add up to 1, so one of them, that of x_S (3D: of the layer below),
   need not be stored:

     […] = x_S + (x_E − x_S) (k_s + k_ss) + (x_W − x_S) (k_s − k_ss) + (x_N − x_S) (k_t + k_tt) + …
           + (x_NE + x_SW − x_NW − x_SE) k_st + …

   which preserves constants exactly. The k are stored in classic_metric; right = α f/(β + centre) and damp =
   centre/(β + centre). */
#ifndef FR_GRID_CURVE_CLASSIC_SWEEP_H
#define FR_GRID_CURVE_CLASSIC_SWEEP_H

#include "grid/curve/classic_metric.h"

/* Fields that are swept together: they share the coefficients, and border cells may mix them. A slab is a row of cells
 * in 2D, a layer in 3D. */
typedef struct classic_sweep {
    const classic_metric *metric;
    int count;               /* 1, or one field for every axis: then damped */
    const field *right[3];
    const field *damp;       /* NULL: β = 0, so 1 */
    /* Fills the first ghosts that depend on one slab of a result. NULL (one field only): zero gradient across sides
       that are not periodic. */
    void (*finish)(const void *context, field *x, int slab);
    /* Called after every sweep, for work that needs the whole result; NULL: nothing. */
    void (*settle)(const void *context, field *x);
    const void *context;
} classic_sweep;

/* Does `sweeps` sweeps over x, whose first ghosts must be filled. `other` has the same size; those of its first ghosts
   that `finish` does not fill must equal those of x, the rest is not read. Values beyond the first ghosts do not affect
   the result; at the ends of rows they may be overwritten. */
void classic_sweep_run(const classic_sweep *sweep, field *x, field *other, int sweeps);

/* Fills the first ghosts: zero gradient across sides that are not periodic. */
void classic_even_ghosts(const domain *d, field *f);

#endif
