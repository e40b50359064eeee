/* Linear interpolation of a frame's fields at any point. */
#ifndef FR_SURFACE_PROBE_H
#define FR_SURFACE_PROBE_H

#include <freshet/frame.h>

typedef struct probe {
    const fr_field *field;       /* NULL: 0 everywhere */
    double first[3], step[3];    /* m: the first sample, and from sample to sample */
    bool goes_on;                /* linear beyond the outermost samples, as a distance needs; else constant */
} probe;

/* `field` may be NULL. */
probe probe_of(const fr_frame *frame, const fr_field *field, bool goes_on);

float probe_at(const probe *p, const double at[3]);

/* The gradient by differences over a cell. */
void probe_slope(const probe *p, const double at[3], double slope[3]);

#endif
