/* Internals of curvilinear grids: nodes, and the trilinear map of one cell. */
#ifndef FR_GRID_CURVE_PARTS_H
#define FR_GRID_CURVE_PARTS_H

#include "base/vec.h"
#include "grid/curve/curve.h"

typedef struct curve_nodes {
    int dims, n[3];          /* nodes along each axis; 1 along the third in 2D */
    const double *at;
} curve_nodes;

/* A 2D grid has a second layer of nodes one metre above, so that 3D code holds for 2D. */
static inline vec3 curve_node(const curve_nodes *g, int i, int j, int k)
{
    bool flat = g->dims == 2;
    const double *x = g->at + 3 * (i + g->n[0] * (j + (ptrdiff_t)g->n[1] * (flat ? 0 : k)));
    return (vec3){x[0], x[1], flat ? k : x[2]};
}

/* The eight corners of a cell; bit a of a corner's number is 1 at the high end along axis a. */
typedef struct curve_patch {
    vec3 corner[8];
} curve_patch;

curve_patch curve_patch_at(const curve_nodes *g, int i, int j, int k);
curve_nodes curve_nodes_of(const curve *c);
curve_nodes curve_nodes_of_def(const curve_def *def);

/* At a place in the cell, 0 … 1 along each axis. */
vec3 curve_patch_position(const curve_patch *p, const double at[3]);
void curve_patch_tangents(const curve_patch *p, const double at[3], vec3 tangents[3]);

/* Volume; negative where the map is left-handed. */
double curve_patch_volume(const curve_patch *p);

static inline double curve_triple(const vec3 e[3]) { return vec3_dot(e[0], vec3_cross(e[1], e[2])); }

/* Sine of the smallest angle between one of three vectors and the plane of the other two; in 2D, where the third is
   perpendicular, between the first two. */
static inline double curve_sine(const vec3 e[3])
{
    double least = 1, triple = fabs(curve_triple(e));
    for (int a = 0; a < 3; a++)
        least = fmin(least, triple / (vec3_length(e[a]) * vec3_length(vec3_cross(e[(a + 1) % 3], e[(a + 2) % 3]))));
    return least;
}

/* Fills on_face and on_cell from the face vectors, whose ghosts must be filled. Fails where the cells around a face are
   bent so strongly against each other that their fluxes do not determine the velocity; this can happen only in 3D. */
fr_result curve_basis_make(curve *c);

#endif
