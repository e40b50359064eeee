/* Liquid comes out of sources, and goes into sinks and out of open sides. A step finds out what; when it counts, it is
 * done. */
#ifndef FR_SPH_STAGE_POUR_H
#define FR_SPH_STAGE_POUR_H

#include "sph/state.h"

/* Velocity of a source at time t, asked at its middle; zero when it does not work then. */
fr_result stage_sph_pour_velocity(const sph_model *m, int source, const sph_nozzle *nozzle, double t, vec3 *velocity);

/* The greatest speed of a source at a time, m/s. */
fr_result stage_sph_pour_speed(const sph_model *m, const sph_state *s, double t, double *speed);

/* Liquid in the shape of a source that works goes with its velocity, whatever presses on it: sets next.velocity, before
 * it is moved. */
fr_result stage_sph_hold(const sph_model *m, sph_state *s);

/* The particles that come out until now.end, into s->poured: layer by layer, where there is room beside next.position
   and in the domain; and makes room for them. A failure comes from a function of the scene or is want of memory. */
fr_result stage_sph_pour(const sph_model *m, sph_state *s);

/* Marks in s->leaves what of `next` has left. A failure can come from a function of the scene only. */
fr_result stage_sph_drain(const sph_model *m, sph_state *s);

/* Does what the step found, once `next` has become the present. */
void stage_sph_exchange(const sph_model *m, sph_state *s);

#endif
