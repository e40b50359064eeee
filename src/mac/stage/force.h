/* Forces on the flow. */
#ifndef FR_MAC_STAGE_FORCE_H
#define FR_MAC_STAGE_FORCE_H

#include "mac/state.h"

/* Adds the scene's forces over dt, as they are at time t, to next_velocity; fans are in fan.h. */
fr_result stage_force_given(const model *m, state *s, double dt, double t);

#endif
