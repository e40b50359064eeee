/* Smoothing of a closed mesh. */
#ifndef FR_SURFACE_SMOOTH_H
#define FR_SURFACE_SMOOTH_H

#include <freshet/surface.h>

/* Pairs of Laplacian steps, one that shrinks and one that inflates, so that the volume is kept (Taubin 1995). Vertices
   on the sides of the box [low, high] stay on them. */
fr_result smooth_mesh(fr_mesh *mesh, int steps, const float low[3], const float high[3]);

/* Fills the vertex normals: the area-weighted mean over the triangles around each vertex. */
fr_result smooth_normals(fr_mesh *mesh);

#endif
