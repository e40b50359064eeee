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
    box bounds; /* of what is inside */
    double origin[3], step[3];
    int n[3]; /* samples */
    float *distance;
    mesh_grid *next; /* in the store */
};

/* What a grid is made of: distances along a line, and a box with all that is inside. */
typedef struct grid_source {
    void (*distance)(const void *of, const line *l, double *d);
    const void *of;
    box bounds;
} grid_source;

fr_result mesh_grid_sample(const grid_source *source, const mesh_detail *detail, mesh_grid **out);
void mesh_grid_destroy(mesh_grid *g);
double mesh_grid_room(const box *bounds, const mesh_detail *detail); /* bytes */

/* The same of a mesh. Takes about a microsecond or two per sample on each thread. */
fr_result mesh_grid_create(const bvh *b, const mesh_detail *detail, mesh_grid **out);
double mesh_grid_bytes(const bvh *b, const mesh_detail *detail);

/* Draws the box in to what is inside between samples. */
void mesh_grid_tighten(mesh_grid *g);

/* Outside the grid a lower bound. Nowhere less than the distance to `bounds`. */
void mesh_grid_distance(const mesh_grid *g, const line *l, double *d);

/* The exact ones (mesh_shape.c). */
void mesh_line_distance(const bvh *b, const line *l, double *d);

#endif
