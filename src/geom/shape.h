/* Signed distances of shapes. A definition is compiled for fast evaluation: meshes loaded, transforms inverted. */
#ifndef FR_GEOM_SHAPE_H
#define FR_GEOM_SHAPE_H

#include <freshet/defs.h>

#include "geom/pose.h"

typedef struct shape shape;

/* Failures name the scene's `key` (fr_fail_key). In 2D (dims 2) z is ignored. */
fr_result shape_create(const fr_placed_shape *placed, int dims, const char *key, shape **out);
void shape_destroy(shape *s);

/* For a shape that is asked for many distances wherever it goes: from now on those to its meshes and to its smooth
   unions of many parts are interpolated on grids, fine enough for a flow with such cells (m); all shapes with the same
   mesh or union share its grid. In 2D, where points are few, they stay exact, and everything else does anyway. */
fr_result shape_bake(shape *s, double cell);

/* What shape_bake will take for all of these together, bytes. */
fr_result shape_bake_bytes(shape *const *shapes, int count, double cell, double *bytes);

/* Replaces the pose that the definition gave. Cheap: nothing is compiled. */
void shape_place(shape *s, const pose *where);

/* Distances at n points along a row in x: (x0 + i·dx, y, z), i < n. Metres, negative inside. Only a user's function can
   fail. */
fr_result shape_distance_row(const shape *s, const double start[3], double dx, int n, float *distance);
/* The same for the points first ≤ i < end only. */
fr_result shape_distance_part(const shape *s, const double start[3], double dx, int first, int end, float *distance);
fr_result shape_distance(const shape *s, const double at[3], double *distance);

/* Whether shape_distance_row may be called from several threads (no user function inside). */
bool shape_is_parallel(const shape *s);

/* What tells shapes without user functions from each other, wherever they are placed: equal ones have the same. */
uint64_t shape_digest(const shape *s);

/* A box that contains the shape; sides may be ±INFINITY. */
void shape_bounds(const shape *s, double min[3], double max[3]);

/* The largest distance of the shape's points from its own origin, in any pose, m; may be INFINITY. */
double shape_radius(const shape *s);

#endif
