/* What Barroso & Celes's scheme knows of a curvilinear grid: at every centre the inverse of the Jacobian and the coefficients of the Laplacian
   in grid coordinates (section 4.1 and eq. 19), taken from the centres of cells by central differences. */
#ifndef FR_GRID_CLASSIC_METRIC_H
#define FR_GRID_CLASSIC_METRIC_H

#include "grid/curve.h"

typedef struct classic_metric {
    domain domain;              /* in grid space */
    field inverse[3][3];        /* J⁻¹: [k][a] = ∂s_k/∂x_a, 1/m; goes on linearly in the ghosts. 2D: of the first two of each */
    /* Eq. 19, all divided by `centre`, which a sweep of Jacobi's iteration would divide by. */
    field along[3];             /* k_s, k_t, k_r */
    field bend[3];              /* k_ss, k_tt, k_rr */
    field cross[3];             /* k_tr, k_sr, k_st: of the axes other than the index; 2D: the last alone */
    field centre;               /* 2 (k_s + k_t + k_r), 1/m² */
} classic_metric;

fr_result classic_metric_create(const curve *c, classic_metric *out);
void classic_metric_destroy(classic_metric *m);
size_t classic_metric_bytes(const domain *d);

#endif
