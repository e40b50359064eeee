/* The projection of a river's fluxes: afterwards what flows into a cell flows out of it. */
#ifndef FR_RIVER_STAGE_PRESSURE_H
#define FR_RIVER_STAGE_PRESSURE_H

#include "river/state.h"

/* Adds what the present pressure does to fluxes over dt; fills its ghosts. */
void stage_river_pressure_push(const river_model *m, river_state *s, double dt, field flux[3]);

/* Takes the divergence out of next_flux by a pressure that acts over dt, which goes to next_pressure; reports both. The
   present pressure is the first guess. */
fr_result stage_river_pressure(const river_model *m, river_state *s, double dt);

#endif
