/* Forces on the flow. */
#ifndef FR_MAC_STAGE_FORCE_H
#define FR_MAC_STAGE_FORCE_H

#include "mac/state.h"

/* The scene's forces as they are at time t, over dt. */
fr_result stage_force_given(const model *m, state *s, double dt, double t);

#endif
