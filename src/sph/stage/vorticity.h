/* Vorticity confinement for particle liquids. */
#ifndef FR_SPH_STAGE_VORTICITY_H
#define FR_SPH_STAGE_VORTICITY_H

#include "sph/state.h"

/* Strengthens the eddies of next.velocity over dt, as sph.vorticity says. */
void stage_sph_vorticity(const sph_model *m, sph_state *s, double dt);

#endif
