/* Smoothed particle hydrodynamics: liquids as particles, in 2D and 3D. */
#ifndef FR_SPH_SCHEME_H
#define FR_SPH_SCHEME_H

#include "method/timing.h"
#include "sph/state.h"

/* The state at t = 0: the scene's fill at rest or with its initial velocity. */
fr_result sph_scheme_start(const fr_scene_def *def, const sph_model *m, const sph_filling *filling, sph_state *s);

/* The part of that around rigid bodies, which the scene must have: what is too dense gives way, and nothing moves. */
fr_result sph_settle(const sph_model *m, sph_state *s);

/* One step from now.time to now.end, dt long, into `next`. */
fr_result sph_scheme_step(const sph_model *m, sph_state *s, double dt, timing *t);

/* Makes `next` the present. */
void sph_scheme_accept(const sph_model *m, sph_state *s);

#endif
