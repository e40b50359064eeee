/* Ghost layers: the one call through which a stage learns what lies beyond its block. */
#ifndef FR_GRID_HALO_H
#define FR_GRID_HALO_H

#include "grid/field.h"

typedef enum halo_kind {
    HALO_EVEN,      /* no gradient across the side */
    HALO_VALUE,     /* a known value on the side: ghosts are the inside mirrored about it */
    HALO_BEYOND,    /* a known value beyond the side: ghosts have it */
    HALO_LINEAR,    /* goes on beyond the side as it runs up to it */
    HALO_PERIODIC
} halo_kind;

typedef struct halo_side {
    halo_kind kind;
    float value;           /* HALO_VALUE, HALO_BEYOND, where `values` is NULL */
    const float *values;   /* or one per sample of the side, the lower of the other two axes fastest */
} halo_side;

/* Fills all ghosts, corners included. Sides in the order low x, high x, low y … Samples that lie on a side (faces
   across that axis) are left as they are, but made equal on periodic sides. */
void halo_fill(field *f, const domain *d, const halo_side sides[6]);

/* The same with no gradient across every side that is not periodic. */
void halo_fill_even(field *f, const domain *d);

/* The same, going on as the field runs up to every side that is not periodic. */
void halo_fill_linear(field *f, const domain *d);

#endif
