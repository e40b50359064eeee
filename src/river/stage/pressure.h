/* The projection of a river's fluxes: what flows into every cell flows out of it. */
#ifndef FR_RIVER_STAGE_PRESSURE_H
#define FR_RIVER_STAGE_PRESSURE_H

#include "river/state.h"

/* Lets a flow feel the present pressure over dt. */
void stage_river_pressure_push(const river_model *m, river_state *s, double dt, field flux[3]);

/* Takes the divergence out of next_flux by a pressure that acts over dt, which goes to next_pressure; reports both. The
   present pressure is the first guess. */
fr_result stage_river_pressure(const river_model *m, river_state *s, double dt);

#endif
