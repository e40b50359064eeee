/* Fans: shapes inside which the flow is driven towards a speed along a direction. */
#ifndef FR_MAC_STAGE_FAN_H
#define FR_MAC_STAGE_FAN_H

#include "mac/state.h"

/* The fans' work over dt on next_velocity, their speeds as they are at time t. */
fr_result stage_fans(const model *m, state *s, double dt, double t);

#endif
