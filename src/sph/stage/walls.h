/* Solid things in the course of time: where obstacles stand, and the particles that stand for them and for the closed
   sides. */
#ifndef FR_SPH_STAGE_WALLS_H
#define FR_SPH_STAGE_WALLS_H

#include "sph/state.h"

/* Moves s->bodies and s->solids over a step from one time to another (the same: for that moment). Puts wall particles
   where they stand at its begin, with their mean velocity until its end. A failure can come from a function of the
   scene only. */
fr_result stage_sph_walls(const sph_model *m, sph_state *s, double from, double to);

/* The greatest speed of a point of them between two times, m/s. */
fr_result stage_sph_walls_speed(const sph_model *m, double from, double to, double *speed);

#endif
