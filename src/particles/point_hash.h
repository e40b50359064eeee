/* Points in hashed cubes, to find those near a place while more are still being added. Meant for setting up; a step
   that visits all neighbours of all particles wants sorted ones. */
#ifndef FR_PARTICLES_POINT_HASH_H
#define FR_PARTICLES_POINT_HASH_H

#include <freshet/base.h>

typedef struct point_hash {
    int dims;
    double edge;              /* m, of the cubes */
    int64_t count, room;
    double (*position)[3];    /* m, in the order in which they were added */
    int64_t *next;            /* the point added before to the same slot, -1: none */
    int64_t *slots;           /* the last point of each slot, -1: none */
    uint64_t mask;            /* slots less one, a power of two less one */
} point_hash;

/* Quick for about `expected` points and for radii up to the edge; right for any. */
fr_result point_hash_create(int dims, double edge, int64_t expected, point_hash *out);
void point_hash_destroy(point_hash *h);

/* The new point's index is the count before. */
fr_result point_hash_add(point_hash *h, const double at[3]);

/* Takes all points out. */
void point_hash_clear(point_hash *h);

/* Calls `visit` for every point nearer than the radius (squared distance given), always in the same order, until it
 * says false. */
typedef bool (*point_visit)(void *context, int64_t index, double distance2);
void point_hash_visit(const point_hash *h, const double at[3], double radius, point_visit visit, void *context);

#endif
