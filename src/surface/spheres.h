/* The spheres of a particle level set that are on the wrong side of its surface, for the vertices that a mesh has
   between the cells' centres (Carlson 2004, 6.4).

   At the centres the method itself has corrected φ (Enright et al. 2002). In between φ is interpolated and knows less
   than the particles do: there the same rule is applied once more. A sphere counts at points up to half a cell away
   along every axis, so that each point knows it alike from whichever cell it is looked at. */
#ifndef FR_SURFACE_SPHERES_H
#define FR_SURFACE_SPHERES_H

#include "surface/probe.h"
#include "surface/source.h"

typedef struct sphere {
    float at[3], radius;         /* m; the radius is negative in the liquid, positive in the air */
} sphere;

typedef struct spheres {
    int blocks[3];               /* of the lattice (blocks.h) */
    int32_t *first;              /* per block the index of its first sphere; and the end */
    sphere *listed;              /* those that may count in a block, again for each block */
    double reach[3];             /* m */
} spheres;

/* Those that may count at points of a block's cells. */
typedef struct spheres_near {
    const sphere *first;
    int count;
} spheres_near;

/* Of a frame with FR_FRAME_LEVEL_PARTICLES, for the lattice of a source; `cell` is the size of a cell of the level set.
   Spheres that touch an obstacle are left out. Without any sphere `first` is NULL. */
fr_result spheres_create(const fr_frame *frame, const source *s, const double cell[3], spheres *out);
void spheres_destroy(spheres *s);

/* `node` is the first node of a block. */
spheres_near spheres_at(const spheres *s, const int node[3]);

/* φ at a point, corrected. */
float spheres_correct(const spheres *s, spheres_near near, const double at[3], float phi);

#endif
