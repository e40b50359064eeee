/* Puts the particles of solid things where they stand. */
#ifndef FR_SPH_STAGE_WALLS_H
#define FR_SPH_STAGE_WALLS_H

#include "sph/state.h"

/* As they stand at time `from`, with their mean motion until `to`. A failure can come from a function of the scene
 * only. */
fr_result stage_sph_walls(const sph_model *m, sph_state *s, double from, double to);

/* The greatest speed of a point of them between two times, m/s. */
fr_result stage_sph_walls_speed(const sph_model *m, double from, double to, double *speed);

/* Puts the shape of a body where it stands at time t. */
fr_result stage_sph_walls_shape(const sph_model *m, int body, double t);

#endif
