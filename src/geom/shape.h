/* Signed distances of shapes, ready to evaluate: compiled from the plain definition, meshes loaded, transforms
   inverted. */
#ifndef FR_GEOM_SHAPE_H
#define FR_GEOM_SHAPE_H

#include <freshet/defs.h>

#include "geom/pose.h"

typedef struct shape shape;

/* Failures are about the shape itself (fr_fail_key with `key` as given). In 2D (dims 2) z is ignored. */
fr_result shape_create(const fr_placed_shape *placed, int dims, const char *key, shape **out);
void shape_destroy(shape *s);

/* Puts a shape elsewhere; where its definition placed it counts no more. Cheap: nothing is compiled. */
void shape_place(shape *s, const pose *where);

/* Distance at n points along a row, x first: points are (x0 + i·dx, y, z), i < n. Metres, negative inside. A
   failure can come from a user's function only. */
fr_result shape_distance_row(const shape *s, const double start[3], double dx, int n, float *distance);
/* The same for the points from number `first` to before `end` alone. */
fr_result shape_distance_part(const shape *s, const double start[3], double dx, int first, int end, float *distance);
fr_result shape_distance(const shape *s, const double at[3], double *distance);

/* Whether shape_distance_row may be called from several threads (no user function inside). */
bool shape_is_parallel(const shape *s);

/* A box that holds the shape; sides may be ±INFINITY. */
void shape_bounds(const shape *s, double min[3], double max[3]);

/* How far it reaches from its own origin, wherever it is placed, m; may be INFINITY. */
double shape_radius(const shape *s);

#endif
