/* Signed distances of shapes on a coarse grid: accurate enough for warnings, and quick even for shapes written in
   Lua. */
#ifndef FR_METHOD_PREVIEW_SAMPLE_H
#define FR_METHOD_PREVIEW_SAMPLE_H

#include <freshet/defs.h>

#include "grid/domain.h"

typedef struct sample {
    domain grid;
    float *distance;                 /* m, cell-centred, the first axis fastest */
} sample;

/* A grid over a box without any shape: all distances are large. */
fr_result sample_create(const fr_domain_def *box, sample *out);
void sample_destroy(sample *s);

/* Adds a shape to the union; an obstacle in its pose at t = 0. */
fr_result sample_add(sample *s, const fr_placed_shape *placed);
fr_result sample_add_obstacle(sample *s, const fr_obstacle_def *obstacle);

/* Twice the greatest depth inside the shape, as far as it lies in the box: the thickness of a plate, the diameter of a
   ball. SAMPLE_CERTAIN is how accurate it is in 3D. */
#define SAMPLE_CERTAIN 0.97
fr_result sample_thickness(const fr_domain_def *box, const fr_obstacle_def *obstacle, double *thickness);

/* The cell with the smallest distance, numbered as in sizes.h: the deepest inside the shapes, or else the nearest. */
int64_t sample_deepest(const sample *s);

#endif
