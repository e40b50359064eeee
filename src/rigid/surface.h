/* Points spread over the surface of a shape, at which contacts are looked for. Sharp edges and corners have points of
   their own. */
#ifndef FR_RIGID_SURFACE_H
#define FR_RIGID_SURFACE_H

#include "base/vec.h"
#include "geom/box.h"
#include "geom/shape.h"

/* A point, and how the extreme point of the surface moves when the direction turns in which it is extreme: by `reach`
   metres along `along` per radian. */
typedef struct surface_point {
    vec3 at;
    vec3 normal;           /* outward; at an edge or corner the mean of its sides */
    double cosine;         /* the least, between `normal` and a direction in which another solid may lie */
    vec3 along[2];
    double reach[2];       /* m; 0 along flat and hollow directions and across edges */
} surface_point;

/* Neighbouring points, and a ball around them. */
typedef struct surface_block {
    vec3 centre;
    double radius;         /* m */
    int begin, end;
} surface_block;

typedef struct surface {
    double spacing;        /* m, of the points, about */
    surface_point *points; int count;
    surface_block *blocks; int block_count;
} surface;

/* The surface of `s` inside of a box, in the pose that s has, at a spacing of `spacing` or finer where the box is small
   and coarser where it would take too many points. */
fr_result surface_sample(const shape *s, int dims, const box *in, double spacing, surface *out);
void surface_free(surface *s);
fr_result surface_copy(const surface *from, surface *out);

/* About the bytes that the surface of such a box takes. */
double surface_bytes(int dims, const box *in, double spacing);

/* The slope of the signed distance at a place, by differences over ± `by`: 1 long but on ridges, and where a
   shape says less than the distance. */
fr_result surface_slope(const shape *s, int dims, vec3 at, double by, vec3 *slope);

/* From `at` to the surface along the slope. What is left, m, is the distance that remains. */
fr_result surface_drop(const shape *s, int dims, double spacing, vec3 *at, double *left);

#endif
