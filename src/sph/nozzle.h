/* Where liquid comes out of a source: columns along the flow, which begin in the cut through the shape's middle across
   the flow. A layer has one particle per column, each of the volume d^dims; a new layer starts when the last one has
   moved on by `step`, so that the flux is exactly area × speed. */
#ifndef FR_SPH_NOZZLE_H
#define FR_SPH_NOZZLE_H

#include "base/vec.h"
#include "sph/model.h"

typedef struct sph_nozzle {
    shape *shape;
    vec3 middle;             /* m, where its velocity is evaluated */
    vec3 direction;          /* along which the columns were found; 0: not yet */
    double area;             /* m² across the flow; in 2D m */
    double step;             /* m, from layer to layer */
    vec3 *begins;            /* m, of the columns */
    int count, room;
} sph_nozzle;

fr_result sph_nozzle_create(const sph_model *m, int source, sph_nozzle *out);
void sph_nozzle_destroy(sph_nozzle *nozzle);

/* Finds the columns along a unit vector; does nothing when it is that of the last time. */
fr_result sph_nozzle_aim(const sph_model *m, sph_nozzle *nozzle, vec3 direction);

#endif
