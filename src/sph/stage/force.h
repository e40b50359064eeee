/* Gravity and the scene's forces on the liquid, and walls that repel it. */
#ifndef FR_SPH_STAGE_FORCE_H
#define FR_SPH_STAGE_FORCE_H

#include "sph/state.h"

/* Adds dt times what acts at time t to next.velocity. A failure can come from a function of the scene only. */
fr_result stage_sph_force(const sph_model *m, sph_state *s, double dt, double t);

/* Finds the greatest of the scene's forces at the start, s->pull; later ones are found on the way. */
fr_result stage_sph_force_start(const sph_model *m, sph_state *s);

#endif
