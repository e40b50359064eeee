/* The distance to a mesh on a grid in the mesh's own frame, interpolated between the samples: some hundred times as
   fast as the exact one, for what is asked anew wherever it moves to. Where the mesh is finer than the grid it is
   smoothed.

   Between samples a distance d is interpolated linearly along each axis. That adds h²/12 Δd in the mean (h: the step),
   which makes balls too small; so the samples hold d − h²/12 Δd, and what is round keeps its volume. */
#ifndef FR_GEOM_MESH_GRID_H
#define FR_GEOM_MESH_GRID_H

#include "geom/bvh.h"
#include "geom/node.h"

/* What is asked of a grid, m in the mesh's frame. */
typedef struct mesh_detail {
    double cell;   /* of what the distances are for: the step is about a quarter of it */
    double beyond; /* how far outside the mesh distances must be good, further than a cell */
} mesh_detail;

typedef struct mesh_grid mesh_grid;
struct mesh_grid {
    mesh_detail detail;
    box bounds; /* of the mesh */
    double origin[3], step[3];
    int n[3]; /* samples */
    float *distance;
    mesh_grid *next; /* in the store */
};

/* Takes about a microsecond or two per sample on each thread. */
fr_result mesh_grid_create(const bvh *b, const mesh_detail *detail, mesh_grid **out);
void mesh_grid_destroy(mesh_grid *g);
double mesh_grid_bytes(const bvh *b, const mesh_detail *detail);

/* Outside the grid a lower bound. Nowhere less than the distance to the mesh's bounding box. */
void mesh_grid_distance(const mesh_grid *g, const line *l, double *d);

/* The exact ones (mesh_shape.c). */
void mesh_line_distance(const bvh *b, const line *l, double *d);

#endif
