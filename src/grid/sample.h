/* Interpolation between samples, a row of points at a time so that the loops vectorise.

   A row of points is n sample positions of one location (centres or the faces across an axis), starting at sample
   (i, j, k), each moved by its own displacement in cells. Displacements are stored, not positions: they lose no digits
   on large grids and mirror exactly. */
#ifndef FR_GRID_SAMPLE_H
#define FR_GRID_SAMPLE_H

#include "grid/field.h"

enum { SAMPLE_ROW = 256 };   /* most points in a row; callers cut longer ones */

typedef struct sample_points {
    fr_location at;
    int i, j, k;
    int n;
    float dx[SAMPLE_ROW], dy[SAMPLE_ROW], dz[SAMPLE_ROW];   /* cells */
} sample_points;

/* Keeps the points in the block: they wrap around on periodic axes and are clamped to the sides on others. */
void sample_confine(sample_points *points, const domain *d);

/* Sets the displacements along an axis to `scale` times `flow`, in cells, and keeps the points in the block. */
void sample_move(sample_points *points, const domain *d, int axis, const float *flow, float scale);

/* Trilinear interpolation of `f` (of any location) at the points, which must be confined. The result never leaves the
   range of the samples used; where they are equal, it is exactly their value. */
void sample_values(const field *f, const domain *d, const sample_points *points, float *out);

/* The same except for the last digit, but faster: for velocities, which only decide where a point moves. */
void sample_values_rounded(const field *f, const domain *d, const sample_points *points, float *out);

/* Also gives the minimum and maximum of the samples used. */
void sample_values_bounds(const field *f, const domain *d, const sample_points *points, float *out, float *low,
                          float *high);

/* Cubic Lagrange interpolation along each axis (4 × 4 × 4 samples), clamped to the nearest 2 × 2 × 2 samples. */
void sample_values_cubic(const field *f, const domain *d, const sample_points *points, float *out);

/* The same without bounds: for smooth fields, whose crests the bounds would flatten. */
void sample_values_cubic_free(const field *f, const domain *d, const sample_points *points, float *out);

/* The value at one position, given in metres. */
double sample_at(const field *f, const domain *d, const double at[3]);

#endif
