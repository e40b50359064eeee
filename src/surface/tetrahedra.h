/* Marching tetrahedra: the surface where a function on a lattice changes its sign. */
#ifndef FR_SURFACE_TETRAHEDRA_H
#define FR_SURFACE_TETRAHEDRA_H

#include <freshet/surface.h>

#include "surface/blocks.h"

/* Adds vertices (m from the sampler's low corner) and triangles to an empty mesh. */
fr_result tetrahedra_march(const blocks *b, fr_mesh *mesh);

#endif
