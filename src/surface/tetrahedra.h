/* Marching tetrahedra: the surface where a function on a lattice changes its sign, closed at the lattice's sides. */
#ifndef FR_SURFACE_TETRAHEDRA_H
#define FR_SURFACE_TETRAHEDRA_H

#include <freshet/surface.h>

#include "surface/blocks.h"

/* Adds vertices and triangles to an empty mesh: with 6 or 24 tetrahedra a cell (scheme.h); of a smooth source also
   normals. */
fr_result tetrahedra_march(const blocks *b, int tetrahedra, fr_mesh *mesh);

#endif
