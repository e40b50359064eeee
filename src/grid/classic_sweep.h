/* A sweep of Jacobi's iteration over the Laplacian in grid coordinates (Barroso & Celes, eq. 18), divided by 2 (k_s + k_t + k_r):

     x' = right + damp·[ (x_E + x_W) k_s + (x_E − x_W) k_ss + … + (x_NE + x_SW − x_NW − x_SE) k_st + … ]

   with k as classic_metric keeps them, right = α f/(β + centre) and damp = centre/(β + centre). */
#ifndef FR_GRID_CLASSIC_SWEEP_H
#define FR_GRID_CLASSIC_SWEEP_H

#include "grid/classic_metric.h"

typedef struct classic_sweep {
    const classic_metric *metric;
    const field *right;
    const field *damp;       /* NULL: β = 0, so 1 */
    bool even;               /* also fills the first ghosts of the result: no gradient across sides that are not periodic */
} classic_sweep;

/* The first ghosts of `from` must be filled. */
void classic_sweep_run(const classic_sweep *sweep, const field *from, field *to);

/* The first layer of ghosts, with no gradient across sides that are not periodic. */
void classic_even_ghosts(const domain *d, field *f);

#endif
