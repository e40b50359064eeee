/* Surface tension of the liquid. */
#ifndef FR_SPH_STAGE_TENSION_H
#define FR_SPH_STAGE_TENSION_H

#include "sph/state.h"

/* Lets fluid.surface_tension act on next.velocity over dt. */
void stage_sph_tension(const sph_model *m, sph_state *s, double dt);

/* The longest step that the waves of the surface allow, s; INFINITY without tension. */
double stage_sph_tension_limit(const sph_model *m);

#endif
