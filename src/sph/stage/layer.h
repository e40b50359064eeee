/* Boundary layers that are thinner than a particle (grid/layer.h). */
#ifndef FR_SPH_STAGE_LAYER_H
#define FR_SPH_STAGE_LAYER_H

#include "grid/layer.h"
#include "sph/state.h"

/* Mean thickness of the layers over the coming dt, for walls that the liquid sticks to. */
void stage_sph_layer(const sph_model *m, sph_state *s, double dt);

/* Adds dt to the ages of the layers at wet walls, and resets those at dry ones. */
void stage_sph_layer_age(sph_state *s, double dt);

#endif
