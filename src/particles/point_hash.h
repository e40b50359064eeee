/* A spatial hash of points, which finds points near a place while more are being added. For set-up only: steps use the
   sorted cell list (cells.h), which is faster. */
#ifndef FR_PARTICLES_POINT_HASH_H
#define FR_PARTICLES_POINT_HASH_H

#include <freshet/base.h>

typedef struct point_hash {
    int dims;
    double edge;              /* m, of the cubes */
    int64_t count, room;
    double (*position)[3];    /* m, in the order in which they were added */
    int64_t *next;            /* the previous point in the same slot; -1: none */
    int64_t *slots;           /* the last point in each slot; -1: none */
    uint64_t mask;            /* number of slots − 1; the number is a power of two */
} point_hash;

/* Fast for about `expected` points and search radii up to the edge; correct for any. */
fr_result point_hash_create(int dims, double edge, int64_t expected, point_hash *out);
void point_hash_destroy(point_hash *h);

/* Adds a point; its index is the count before. */
fr_result point_hash_add(point_hash *h, const double at[3]);

/* Removes all points. */
void point_hash_clear(point_hash *h);

/* Calls `visit` for every point within the radius, with the squared distance, until it returns false. The order is
   deterministic. */
typedef bool (*point_visit)(void *context, int64_t index, double distance2);
void point_hash_visit(const point_hash *h, const double at[3], double radius, point_visit visit, void *context);

#endif
