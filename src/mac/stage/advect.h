/* Transport along the flow: Dq/Dt = 0. */
#ifndef FR_MAC_STAGE_ADVECT_H
#define FR_MAC_STAGE_ADVECT_H

#include "mac/state.h"

/* next_scalars from the present ones, carried by `flow`; the ghosts of both must be filled. Spoils
   scratch_velocity. */
void stage_advect_scalars(const model *m, state *s, const field flow[3], double dt);

/* `to` from `from`, carried by `flow`, three fields each; the ghosts of `from` and `flow` must be filled. */
void stage_advect_velocity(const model *m, state *s, const field from[3], const field flow[3], field to[3], double dt);

#endif
