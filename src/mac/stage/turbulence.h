/* Turbulence that a flow starts with. */
#ifndef FR_MAC_STAGE_TURBULENCE_H
#define FR_MAC_STAGE_TURBULENCE_H

#include "mac/state.h"

/* Adds the scene's initial turbulence to a velocity. */
fr_result stage_turbulence_start(const model *m, field velocity[3]);

#endif
