/* Viscosity and the diffusion of scalars, implicit. */
#ifndef FR_STAGE_DIFFUSE_H
#define FR_STAGE_DIFFUSE_H

#include "model/state.h"

/* On next_velocity. With one viscosity everywhere and no divergence the full stress is ν∇²u. */
fr_result stage_viscosity(const model *m, state *s, double dt);

/* On next_scalars. */
fr_result stage_diffuse_scalars(const model *m, state *s, double dt);

#endif
