/* The surface where a function on a lattice changes its sign, by marching tetrahedra. */
#ifndef FR_SURFACE_TETRAHEDRA_H
#define FR_SURFACE_TETRAHEDRA_H

#include <freshet/surface.h>

#include "surface/blocks.h"

/* Makes vertices (m from the sampler's low corner) and triangles; `mesh` is empty before. */
fr_result tetrahedra_march(const blocks *b, fr_mesh *mesh);

#endif
