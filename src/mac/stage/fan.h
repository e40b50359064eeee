/* Fans: shapes inside which the flow is driven towards a speed along a direction. */
#ifndef FR_MAC_STAGE_FAN_H
#define FR_MAC_STAGE_FAN_H

#include "mac/state.h"

/* Drives next_velocity over dt, towards the fans' speeds at time t. */
fr_result stage_fans(const model *m, state *s, double dt, double t);

#endif
