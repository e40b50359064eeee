/* Ghost layers. Stages see what lies beyond their block only through these calls. */
#ifndef FR_GRID_HALO_H
#define FR_GRID_HALO_H

#include "grid/field.h"

typedef enum halo_kind {
    HALO_EVEN,      /* zero gradient across the side (Neumann): ghost = mirrored inside */
    HALO_VALUE,     /* a value on the side (Dirichlet): ghost = 2·value − inside */
    HALO_BEYOND,    /* a value beyond the side: ghost = value */
    HALO_LINEAR,    /* linear extrapolation from the two outermost samples */
    HALO_PERIODIC
} halo_kind;

typedef struct halo_side {
    halo_kind kind;
    float value;           /* for HALO_VALUE and HALO_BEYOND, where `values` is NULL */
    const float *values;   /* one per sample of the side, the lower of the other two axes fastest */
    bool thin;             /* HALO_VALUE: the layer in which the field falls to the value may be thinner than a cell,
                              or of no thickness.
                              The ghost goes on in the line of the samples, between inside and 2·value − inside */
} halo_side;

/* Fills all ghosts, including corners. Sides in the order low x, high x, low y … Samples that lie on a side (faces
   across that axis) are not changed, except on periodic axes, where the upper one becomes equal to the lower. */
void halo_fill(field *f, const domain *d, const halo_side sides[6]);

/* The same with HALO_EVEN on every side that is not periodic. */
void halo_fill_even(field *f, const domain *d);

/* The same with HALO_LINEAR on every side that is not periodic. */
void halo_fill_linear(field *f, const domain *d);

#endif
