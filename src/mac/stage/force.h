/* Forces on the flow. */
#ifndef FR_MAC_STAGE_FORCE_H
#define FR_MAC_STAGE_FORCE_H

#include "mac/state.h"

/* Buoyancy from `scalars`, whose ghosts must be filled, on `velocity`. Gravity itself is balanced by the
   hydrostatic pressure and left out of both. */
void stage_force_buoyancy(const model *m, state *s, const field *scalars, double dt, field velocity[3]);

/* The scene's forces as they are at time t, over dt. */
fr_result stage_force_given(const model *m, state *s, double dt, double t);

#endif
