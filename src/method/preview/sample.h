/* Shapes looked at by their signed distance on a coarse grid: good enough to judge them, quick even for shapes written
   in Lua. */
#ifndef FR_METHOD_PREVIEW_SAMPLE_H
#define FR_METHOD_PREVIEW_SAMPLE_H

#include <freshet/defs.h>

#include "grid/domain.h"

typedef struct sample {
    domain grid;
    float *distance;                 /* m, at the centres of its cells, the first axis fastest */
} sample;

/* A grid over a box, far from any shape as yet. */
fr_result sample_create(const fr_domain_def *box, sample *out);
void sample_destroy(sample *s);

/* Adds a shape to those that the distances are of; an obstacle as it stands at t = 0. */
fr_result sample_add(sample *s, const fr_placed_shape *placed);
fr_result sample_add_obstacle(sample *s, const fr_obstacle_def *obstacle);

/* The deepest cell, numbered as sizes.h does; outside a shape that no cell meets, the nearest. */
int64_t sample_deepest(const sample *s);

#endif
