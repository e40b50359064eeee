/* A triangle mesh as read from a file. */
#ifndef FR_GEOM_MESH_H
#define FR_GEOM_MESH_H

#include "geom/box.h"

#include <freshet/shape.h>

/* m; every coordinate is smaller. */
#define MESH_LARGEST 1e12

typedef struct mesh {
    int vertex_count, triangle_count;
    double (*vertices)[3];    /* m, finite */
    int (*triangles)[3];      /* indices into vertices */
    box bounds;
} mesh;

/* Reads any format that assimp knows. All parts become one triangle mesh in the file's own coordinates. A damaged file
   gives a failure even when it crashes the importer. */
fr_result mesh_load(const char *file, mesh *out);

void mesh_free(mesh *m);

/* Scales the longest side to `size` and moves the bounding box's centre to the origin. */
void mesh_fit(mesh *m, double size);

/* Merges vertices with equal coordinates. Formats without shared vertices (STL) get their connectivity this way. */
fr_result mesh_weld(mesh *m);

typedef struct mesh_edges {
    int64_t open;   /* edges of one triangle: boundaries of holes */
    int64_t odd;    /* edges of more than two triangles: non-manifold */
    bool closed;    /* every edge is used equally often in both directions: no hole, one orientation */
} mesh_edges;

/* Counts the edges of a welded mesh. Triangles with two equal corners are skipped. */
fr_result mesh_count_edges(const mesh *m, mesh_edges *out);

/* Welds a mesh and fills the report. `closed` is that of mesh_edges. */
fr_result mesh_survey(mesh *m, fr_mesh_report *report, bool *closed);

/* How often a welded mesh contains its most repeated triangle. */
fr_result mesh_count_repeats(const mesh *m, int *most);

#endif
