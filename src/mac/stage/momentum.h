/* Transport of momentum by central fluxes. */
#ifndef FR_MAC_STAGE_MOMENTUM_H
#define FR_MAC_STAGE_MOMENTUM_H

#include "mac/state.h"

/* next_velocity = velocity − dt (flow·∇) flow; the ghosts of `flow`, three fields, must be filled. */
void stage_momentum(const model *m, state *s, const field flow[3], double dt);

#endif
