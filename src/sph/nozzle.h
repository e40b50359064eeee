/* Where liquid comes out of a source: columns along the flow, which begin in the cut through the shape's middle across
   the flow. A layer is one particle per column; as each stands for a volume d^dims, one layer follows the other as soon
   as that has flown `step`, so that exactly area × speed comes out. */
#ifndef FR_SPH_NOZZLE_H
#define FR_SPH_NOZZLE_H

#include "base/vec.h"
#include "sph/model.h"

typedef struct sph_nozzle {
    shape *shape;
    vec3 middle;             /* m, where its velocity is asked for */
    vec3 direction;          /* along which the columns were found; 0: not yet */
    double area;             /* m² across the flow; in 2D m */
    double step;             /* m, from layer to layer */
    vec3 *begins;            /* m, of the columns */
    int count, room;
} sph_nozzle;

fr_result sph_nozzle_create(const sph_model *m, int source, sph_nozzle *out);
void sph_nozzle_destroy(sph_nozzle *nozzle);

/* Finds the columns along a direction of length 1; does nothing when they are those. */
fr_result sph_nozzle_aim(const sph_model *m, sph_nozzle *nozzle, vec3 direction);

#endif
