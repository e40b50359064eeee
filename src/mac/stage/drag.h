/* Force and torque of the flow on obstacles. */
#ifndef FR_MAC_STAGE_DRAG_H
#define FR_MAC_STAGE_DRAG_H

#include "mac/state.h"

/* From the present flow, whose ghosts must be filled; one load per obstacle of the scene. */
void stage_drag(const model *m, const state *s, fr_obstacle_load *loads);

#endif
