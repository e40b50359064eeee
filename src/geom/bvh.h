/* A bounding volume hierarchy of triangles. It gives the exact distance to the nearest triangle and the generalised
   winding number, which tells inside from outside even where the mesh has holes or overlaps itself. */
#ifndef FR_GEOM_BVH_H
#define FR_GEOM_BVH_H

#include "base/vec.h"
#include "geom/box.h"
#include "geom/mesh.h"

typedef struct bvh_triangle {
    vec3 a, ab, ac;
} bvh_triangle;

/* Nodes are stored depth first: the left child follows its parent. `centre`, `normal` and `radius` describe the dipole
   that approximates the node's triangles at a distance. */
typedef struct bvh_node {
    box bounds;
    int first, count;   /* triangles */
    int right;          /* index of the right child; 0: a leaf */
    vec3 centre;        /* mean of the triangles' centres, weighted by area */
    vec3 normal;        /* sum of the area vectors, m² */
    double radius;      /* of a ball around `centre` that contains the triangles */
} bvh_node;

typedef struct bvh {
    bvh_node *nodes;
    bvh_triangle *triangles;
    int node_count, triangle_count;
    bool closed;        /* watertight: the winding number is constant in any ball that no triangle meets */
} bvh;

/* Triangles without area are left out. Fails when no other is left. */
fr_result bvh_create(const mesh *m, bool closed, bvh **out);
void bvh_destroy(bvh *b);

/* A few neighbouring points. All entries are set: with fewer points the last ones are repeated. */
enum { BVH_PACKET = 8 };
typedef struct bvh_packet {
    double x[BVH_PACKET], y[BVH_PACKET], z[BVH_PACKET];
    double distance2[BVH_PACKET];   /* computed by bvh_distance, m² */
} bvh_packet;

/* Exact squared distance to the nearest triangle. `hint`: on entry the index of a triangle that is probably near, on
   return the one nearest to the last point. */
void bvh_distance(const bvh *b, bvh_packet *points, int *hint);

/* How often the triangles wind around the point: 1 inside a closed mesh, 0 outside, 2 where two parts overlap. */
double bvh_winding(const bvh *b, vec3 at);

/* Stack size of traversals. Each level halves the triangles, so the depth stays far below it. */
enum { BVH_STACK = 64 };

#endif
