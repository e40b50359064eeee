/* The full viscous stress tensor of the liquid: sph.mu and sph.lambda. */
#ifndef FR_SPH_STAGE_STRESS_H
#define FR_SPH_STAGE_STRESS_H

#include "sph/state.h"

/* Lets it act on next.velocity over dt. */
void stage_sph_stress(const sph_model *m, sph_state *s, double dt);

/* The longest step that is stable with it, s; INFINITY without. */
double stage_sph_stress_limit(const sph_model *m);

#endif
