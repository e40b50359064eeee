/* The metric of Barroso & Celes's scheme: at every centre the inverse of the Jacobian and the coefficients of the
   Laplacian in grid coordinates (section 4.1 and eq. 19), by central differences of the cell centres. */
#ifndef FR_GRID_CURVE_CLASSIC_METRIC_H
#define FR_GRID_CURVE_CLASSIC_METRIC_H

#include "base/wide.h"
#include "grid/curve/curve.h"

typedef struct classic_metric {
    domain domain;              /* in grid space */
    field inverse[3][3]; /* J⁻¹: [k][a] = ∂s_k/∂x_a, 1/m; extrapolated linearly in the ghosts. 2D: only [2][2] */
    float *frames; /* J⁻¹ again, all entries of a cell together, the first axis fastest: ∇s, ∇t, or ∇s, ∇t, ∇r with a 0
                      after each; for points that look up scattered cells */
    field centre;               /* 2 (k_s + k_t + k_r), 1/m² */
    /* The coefficients of eq. 19, all divided by `centre` as a Jacobi sweep needs them. First those of the high and low
       neighbours along each axis: k_s + k_ss, k_s − k_ss, k_t + k_tt, …, without the low one of the last axis, which is
       1 minus the others. Then k_st (3D: k_tr, k_sr, k_st). Stored in groups of eight cells of a row, all coefficients
       of a group together: reading one stream is faster than many. Groups begin at the first ghost, where the rows of
       fields are aligned; beyond the row they are 0. */
    float *stencil;
    int groups;                 /* in a row */
} classic_metric;

/* Number of coefficients per cell. */
static inline int classic_metric_width(const domain *d) { return d->dims == 3 ? 8 : 4; }

/* Number of floats in a frame. */
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
