/* Values between the samples, a row of points at a time so that the compiler can vectorise.

   A row of points is n sample positions of one location (centres or the faces across an axis), starting at sample
   (i, j, k), each moved by its own displacement in cells. Displacements, not positions, are kept: they lose no
   digits on large grids and mirror exactly. */
#ifndef FR_GRID_SAMPLE_H
#define FR_GRID_SAMPLE_H

#include "grid/field.h"

enum { SAMPLE_ROW = 256 };   /* points in a row at the most; longer ones are cut */

typedef struct sample_points {
    fr_location at;
    int i, j, k;
    int n;
    float dx[SAMPLE_ROW], dy[SAMPLE_ROW], dz[SAMPLE_ROW];   /* cells */
} sample_points;

/* Keeps the points in the block: on periodic axes they come back from the other side, elsewhere they stop at it. */
void sample_confine(sample_points *points, const domain *d);

/* Moves the points along an axis by `scale` times `flow`, in cells, and keeps them in the block. */
void sample_move(sample_points *points, const domain *d, int axis, const float *flow, float scale);

/* Trilinear values of `f` (of any location) at the points, which must be confined. Never outside the samples that take
   part: where they are equal, their value exactly. */
void sample_values(const field *f, const domain *d, const sample_points *points, float *out);

/* The same but for the last digit, in less time: where only the place that comes of it matters. */
void sample_values_rounded(const field *f, const domain *d, const sample_points *points, float *out);

/* Also gives the least and the greatest of the samples that took part. */
void sample_values_bounds(const field *f, const domain *d, const sample_points *points, float *out, float *low,
                          float *high);

/* Lagrange's cubic along each axis (4 × 4 × 4 samples), kept between the nearest 2 × 2 × 2 samples. */
void sample_values_cubic(const field *f, const domain *d, const sample_points *points, float *out);

/* The value at one place, in metres. */
double sample_at(const field *f, const domain *d, const double at[3]);

#endif
