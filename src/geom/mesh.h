/* A triangle mesh as read from a file. */
#ifndef FR_GEOM_MESH_H
#define FR_GEOM_MESH_H

#include "geom/box.h"

#include <freshet/shape.h>

/* m: no coordinate is as large. */
#define MESH_LARGEST 1e12

typedef struct mesh {
    int vertex_count, triangle_count;
    double (*vertices)[3];    /* m, finite */
    int (*triangles)[3];      /* indices into vertices */
    box bounds;
} mesh;

/* Reads whatever assimp reads, all its parts as one mesh of triangles, in the file's own coordinates. A damaged
   file is a failure, whatever it does to the importer. */
fr_result mesh_load(const char *file, mesh *out);

void mesh_free(mesh *m);

/* Scales the longest side to `size` and moves the bounding box's centre to the origin. */
void mesh_fit(mesh *m, double size);

/* Makes vertices at the same place one. Files without shared vertices (STL) gain their connections by it. */
fr_result mesh_weld(mesh *m);

typedef struct mesh_edges {
    int64_t open;   /* with one triangle */
    int64_t odd;    /* with more than two */
    bool closed;    /* every edge is run through as often one way as the other: no hole, one orientation */
} mesh_edges;

/* Counts the edges of a welded mesh. Triangles with two equal corners have none. */
fr_result mesh_count_edges(const mesh *m, mesh_edges *out);

/* Welds a mesh and says what there is to know of it; whether it is closed as mesh_edges does. */
fr_result mesh_survey(mesh *m, fr_mesh_report *report, bool *closed);

/* How often a welded mesh has the triangle that it has most often. */
fr_result mesh_count_repeats(const mesh *m, int *most);

#endif
