/* Viscosity and the diffusion of scalars, implicit. */
#ifndef FR_MAC_STAGE_DIFFUSE_H
#define FR_MAC_STAGE_DIFFUSE_H

#include "mac/state.h"

/* Faces whose centre is inside an obstacle that sticks stand still in next_velocity, also where they are open in part.
   What the next projection moves through those is as small as the change of the pressure. Part of stage_viscosity; a
   flow that is extrapolated from its result needs it again. */
void stage_stick(const model *m, state *s);

/* On next_velocity. With one viscosity everywhere and no divergence the full stress is ν∇²u. */
fr_result stage_viscosity(const model *m, state *s, double dt);

/* On next_scalars. */
fr_result stage_diffuse_scalars(const model *m, state *s, double dt);

#endif
