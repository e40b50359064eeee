/* The projection of a river's fluxes: afterwards they have no divergence. */
#ifndef FR_RIVER_STAGE_PRESSURE_H
#define FR_RIVER_STAGE_PRESSURE_H

#include "river/state.h"

/* Adds the action of the present pressure over dt to fluxes; fills the ghosts of the pressure. */
void stage_river_pressure_push(const river_model *m, river_state *s, double dt, field flux[3]);

/* Removes the divergence of next_flux by a pressure that acts over dt; writes next_pressure and the report. The present
   pressure is the first guess. */
fr_result stage_river_pressure(const river_model *m, river_state *s, double dt);

#endif
