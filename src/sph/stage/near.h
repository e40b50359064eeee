/* Neighbours: sorts the liquid, finds the pairs, and sums densities and gradients. */
#ifndef FR_SPH_STAGE_NEAR_H
#define FR_SPH_STAGE_NEAR_H

#include "sph/state.h"

/* For the present positions; does nothing when they are known already. */
fr_result stage_sph_near(const sph_model *m, sph_state *s);

#endif
