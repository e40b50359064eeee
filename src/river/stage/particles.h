/* Particles that a river carries along, in grid coordinates. */
#ifndef FR_RIVER_STAGE_PARTICLES_H
#define FR_RIVER_STAGE_PARTICLES_H

#include "river/state.h"

/* The particles at t = 0. */
fr_result stage_river_particles_seed(const river_model *m, river_state *s);

/* next_particles from particles: moved by the present flow, with births and removals. Fails only if it cannot grow its
   memory. */
fr_result stage_river_particles_move(const river_model *m, river_state *s, double dt);

/* Makes next_particles the present ones, when the step is accepted. */
void stage_river_particles_accept(river_state *s);

#endif
