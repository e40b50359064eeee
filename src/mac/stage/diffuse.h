/* Viscosity and the diffusion of scalars, implicit. */
#ifndef FR_MAC_STAGE_DIFFUSE_H
#define FR_MAC_STAGE_DIFFUSE_H

#include "mac/state.h"

/* Sets the faces of next_velocity whose centre lies inside a no-slip obstacle to the obstacle's velocity, partly open
   ones included. What the next projection moves through these is as small as the change of the pressure. Part of
   stage_viscosity; a flow that is extrapolated from its result needs it again. */
void stage_stick(const model *m, state *s);

/* Viscosity over dt on next_velocity. With one viscosity everywhere and no divergence the full stress is ν∇²u. */
fr_result stage_viscosity(const model *m, state *s, double dt);

/* Diffusion over dt of next_scalars. */
fr_result stage_diffuse_scalars(const model *m, state *s, double dt);

#endif
