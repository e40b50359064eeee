/* Difference operators between faces and cells. */
#ifndef FR_GRID_OPERATORS_H
#define FR_GRID_OPERATORS_H

#include "grid/field.h"

/* ∇·u of every cell from its faces, 1/s. `open` (three fields) weights the faces; NULL: 1. Ghosts of `out` are not
   written. */
void operators_divergence(const domain *d, const field velocity[3], const field *open, field *out);

/* The same for liquids, and what a pressure solve wants to know, in one pass. */
typedef struct operators_flow {
    const field *velocity, *open;
    const field *inside;       /* cells: `out` is 0 where this is not negative; NULL: everywhere wanted */
    float scale;               /* out = scale ∇·u */
    double *largest;           /* per row of cells: largest |∇·u| */
    double *fastest;           /* per row: largest Σ |u_a|/h_a of a cell's faces, 1/s; NULL: not wanted */
} operators_flow;
void operators_divergence_of(const domain *d, const operators_flow *flow, field *out);

/* One component of ∇×u at the cell centres of a row, 1/s: ω_c = ∂u_b/∂x_a − ∂u_a/∂x_b with (a, b, c) a cyclic
   permutation of (x, y, z), by central differences of the velocity at the centres. Ghosts must be filled. */
typedef struct operators_slope {
    const float *at;
    ptrdiff_t next, step;      /* strides: to the cell's other face; along the derivative */
    float scale;
} operators_slope;

typedef struct operators_curl {
    operators_slope plus, minus;
} operators_curl;

/* In 2D only the component c = 2 exists. */
operators_curl operators_curl_row(const domain *d, const field velocity[3], int c, int j, int k);

static inline float operators_slope_at(const operators_slope *s, int i)
{
    const float *u = s->at + i;
    return s->scale * ((u[s->step] + u[s->step + s->next]) - (u[-s->step] + u[s->next - s->step]));
}

static inline float operators_curl_at(const operators_curl *c, int i)
{
    return operators_slope_at(&c->plus, i) - operators_slope_at(&c->minus, i);
}

/* |∇×u| of every cell; in 2D the z component with its sign when `sign` is set. */
void operators_vorticity(const domain *d, const field velocity[3], bool sign, field *out);

#endif
