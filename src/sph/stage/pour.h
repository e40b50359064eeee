/* Liquid comes out of sources, and leaves through sinks and open sides. A step finds out which particles; they are
   added and removed when the step is accepted. */
#ifndef FR_SPH_STAGE_POUR_H
#define FR_SPH_STAGE_POUR_H

#include "sph/state.h"

/* Velocity of a source at time t, in its middle; zero when it does not work then. */
fr_result stage_sph_pour_velocity(const sph_model *m, int source, const sph_nozzle *nozzle, double t, vec3 *velocity);

/* The greatest speed of a source at a time, m/s. */
fr_result stage_sph_pour_speed(const sph_model *m, const sph_state *s, double t, double *speed);

/* Liquid inside a source that works has its velocity, whatever the forces: sets next.velocity, before the move. */
fr_result stage_sph_hold(const sph_model *m, sph_state *s);

/* The particles that come out until now.end, into s->poured: layer by layer, where no particle at next.position and no
   solid is too near; and reserves memory for them. A failure comes from a function of the scene or is want of memory.
 */
fr_result stage_sph_pour(const sph_model *m, sph_state *s);

/* Marks in s->leaves the particles of `next` that have left. A failure can come from a function of the scene only. */
fr_result stage_sph_drain(const sph_model *m, sph_state *s);

/* Adds and removes those particles, once `next` has become the present. */
void stage_sph_exchange(const sph_model *m, sph_state *s);

#endif
