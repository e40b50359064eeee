/* Particles that a river carries along, in grid coordinates. */
#ifndef FR_RIVER_STAGE_PARTICLES_H
#define FR_RIVER_STAGE_PARTICLES_H

#include "river/state.h"

/* Those that are there at t = 0. */
fr_result stage_river_particles_seed(const river_model *m, river_state *s);

/* next_particles from particles, by the present flow; those that come and go meanwhile. Grows its memory, which is the
 * only failure. */
fr_result stage_river_particles_move(const river_model *m, river_state *s, double dt);

/* When the step has held. */
void stage_river_particles_accept(river_state *s);

#endif
