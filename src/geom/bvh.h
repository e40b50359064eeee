/* Triangles in a bounding volume hierarchy: the exact distance to the nearest one, and the generalised winding
   number, which tells inside from outside even where the mesh has holes or overlaps itself. */
#ifndef FR_GEOM_BVH_H
#define FR_GEOM_BVH_H

#include "base/vec.h"
#include "geom/box.h"
#include "geom/mesh.h"

typedef struct bvh_triangle {
    vec3 a, ab, ac;
} bvh_triangle;

/* Depth first: the left child follows its parent. `centre`, `normal` and `radius` are the dipole that stands for
   the node's triangles from afar. */
typedef struct bvh_node {
    box bounds;
    int first, count;   /* triangles */
    int right;          /* 0: a leaf */
    vec3 centre;        /* mean of the triangles' centres, weighted by area */
    vec3 normal;        /* sum of the area vectors, m² */
    double radius;      /* of the triangles around `centre` */
} bvh_node;

typedef struct bvh {
    bvh_node *nodes;
    bvh_triangle *triangles;
    int node_count, triangle_count;
    bool closed;        /* the winding number is the same all through any ball free of triangles */
} bvh;

/* Triangles without area are left out; a mesh of nothing else fails. */
fr_result bvh_create(const mesh *m, bool closed, bvh **out);
void bvh_destroy(bvh *b);

/* A few points near each other; all are set, repeated where there are fewer. */
enum { BVH_PACKET = 8 };
typedef struct bvh_packet {
    double x[BVH_PACKET], y[BVH_PACKET], z[BVH_PACKET];
    double distance2[BVH_PACKET];   /* by bvh_distance, m² */
} bvh_packet;

/* Exact squared distance to the nearest triangle. `hint` is a triangle likely to be near, and becomes the one
   nearest to the last point. */
void bvh_distance(const bvh *b, bvh_packet *points, int *hint);

/* How often the triangles wind around the point: 1 inside a closed mesh, 0 outside, 2 where two parts overlap. */
double bvh_winding(const bvh *b, vec3 at);

/* Depth bound of traversals: the hierarchy is halved at each level. */
enum { BVH_STACK = 64 };

#endif
