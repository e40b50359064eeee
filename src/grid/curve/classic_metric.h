/* What Barroso & Celes's scheme knows of a curvilinear grid: at every centre the inverse of the Jacobian and the
   coefficients of the Laplacian in grid coordinates (section 4.1 and eq. 19), taken from the centres of cells by
   central differences. */
#ifndef FR_GRID_CURVE_CLASSIC_METRIC_H
#define FR_GRID_CURVE_CLASSIC_METRIC_H

#include "base/wide.h"
#include "grid/curve/curve.h"

typedef struct classic_metric {
    domain domain;              /* in grid space */
    field inverse[3]
                 [3]; /* J⁻¹: [k][a] = ∂s_k/∂x_a, 1/m; goes on linearly in the ghosts. 2D: of the first two of each */
    float *frames; /* the same of each cell side by side, the first axis fastest: ∇s, ∇t, or ∇s, ∇t, ∇r with a 0 after
                      each; for points that look up cells here and there */
    field centre;               /* 2 (k_s + k_t + k_r), 1/m² */
    /* Eq. 19, all divided by `centre`, as a sweep of Jacobi's iteration does: what the neighbours count with, high and
       low of each axis, k_s + k_ss, k_s − k_ss, k_t + k_tt, …, but for the low one of the last axis, which has what the
       others leave of 1; then k_st (3D: k_tr, k_sr, k_st). Eight cells of a row after the other, of each group all
       coefficients side by side: one stream to read is faster than many. Groups begin with the first ghost, where rows
       of fields lie well in memory; beyond the row they are 0. */
    float *stencil;
    int groups;                 /* in a row */
} classic_metric;

/* Coefficients of a cell. */
static inline int classic_metric_width(const domain *d) { return d->dims == 3 ? 8 : 4; }

/* Numbers of a frame. */
static inline int classic_metric_frame(const domain *d) { return d->dims == 3 ? 12 : 4; }

/* The groups of a row. */
static inline const float *classic_metric_row(const classic_metric *m, int j, int k)
{
    return m->stencil + (size_t)WIDE * (size_t)classic_metric_width(&m->domain) * (size_t)m->groups *
                            (size_t)(j + m->domain.n[1] * k);
}

fr_result classic_metric_create(const curve *c, classic_metric *out);
void classic_metric_destroy(classic_metric *m);
size_t classic_metric_bytes(const domain *d);

#endif
