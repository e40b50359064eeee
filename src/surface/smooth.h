/* A closed mesh made smooth. */
#ifndef FR_SURFACE_SMOOTH_H
#define FR_SURFACE_SMOOTH_H

#include <freshet/surface.h>

/* Smoothing in pairs of steps, one that shrinks and one that swells, so that the volume stays (Taubin 1995). */
fr_result smooth_mesh(fr_mesh *mesh, int steps);

/* Fills the normals: the mean over the triangles around a vertex, by their area. */
fr_result smooth_normals(fr_mesh *mesh);

#endif
