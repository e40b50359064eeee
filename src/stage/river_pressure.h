/* The projection of a river's fluxes: what flows into every cell flows out of it. */
#ifndef FR_STAGE_RIVER_PRESSURE_H
#define FR_STAGE_RIVER_PRESSURE_H

#include "model/river_state.h"

/* What the present pressure does to next_flux over dt, `share` times: taken off and put back, viscosity feels it in between. Without it a viscous
   flow would be projected from afar in every step, and its banks would slip by as much. */
void stage_river_pressure_push(const river_model *m, river_state *s, double dt, float share);

/* next_flux without divergence, and next_pressure; reports both. */
fr_result stage_river_pressure(const river_model *m, river_state *s, double dt);

#endif
