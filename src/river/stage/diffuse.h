/* Viscosity and the diffusion of inks in a river, implicit. */
#ifndef FR_RIVER_STAGE_DIFFUSE_H
#define FR_RIVER_STAGE_DIFFUSE_H

#include "river/state.h"

/* On next_flux. */
fr_result stage_river_viscosity(const river_model *m, river_state *s, double dt);

/* On next_scalars. */
fr_result stage_river_diffuse(const river_model *m, river_state *s, double dt);

#endif
