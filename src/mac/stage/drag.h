/* Force and torque of the flow on obstacles. */
#ifndef FR_MAC_STAGE_DRAG_H
#define FR_MAC_STAGE_DRAG_H

#include "mac/state.h"

/* From the present flow, whose ghosts must be filled; one load per obstacle of the scene. `gravity`, m/s², is that of a
   liquid with a surface; in smoke pressures are relative to it. */
void stage_drag(const model *m, const state *s, const double gravity[3], fr_obstacle_load *loads);

#endif
