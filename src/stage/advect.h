/* Transport along the flow: Dq/Dt = 0. */
#ifndef FR_STAGE_ADVECT_H
#define FR_STAGE_ADVECT_H

#include "model/state.h"

/* next_scalars and next_velocity from the present ones, whose ghosts must be filled. The scalars come first: they use
   the memory of next_velocity on the way. */
void stage_advect_scalars(const model *m, state *s, double dt);
void stage_advect_velocity(const model *m, state *s, double dt);

#endif
