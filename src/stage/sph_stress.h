/* Stresses in the liquid: of its full viscous stress tensor (sph.mu, sph.lambda) and of its surface (fluid.surface_tension). */
#ifndef FR_STAGE_SPH_STRESS_H
#define FR_STAGE_SPH_STRESS_H

#include "model/sph_state.h"

/* Lets them act on next.velocity over dt. */
void stage_sph_stress(const sph_model *m, sph_state *s, double dt);

/* The longest step that is stable with them, s; INFINITY without any. */
double stage_sph_stress_limit(const sph_model *m);

#endif
