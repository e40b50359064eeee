/* XSPH: particles move with a share of their neighbours' velocity and so keep in order (Monaghan 1989). */
#ifndef FR_SPH_STAGE_SMOOTH_H
#define FR_SPH_STAGE_SMOOTH_H

#include "sph/state.h"

/* For sph.xsph above 0: into s->smoothing what next.velocity differs from the velocity that particles move with, m/s.
 * Velocities stay. */
void stage_sph_smooth(const sph_model *m, sph_state *s);

#endif
