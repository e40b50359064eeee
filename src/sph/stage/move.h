/* Moves the liquid: positions from velocities, what happens at the sides, and how long a step may be. */
#ifndef FR_SPH_STAGE_MOVE_H
#define FR_SPH_STAGE_MOVE_H

#include "sph/state.h"

/* next.position from next.velocity, with sph.xsph also from what sph/stage/smooth found. Periodic sides are wrapped
   round; what has come into a wall or an obstacle all the same is put back and counted as clamps (sph/stage/collide.h).
   Fails when a velocity is not finite, or through a function of the scene. */
fr_result stage_sph_move(const sph_model *m, sph_state *s, double dt);

/* Greatest speed of the present, m/s. */
double stage_sph_max_speed(sph_state *s);

/* The time in which something of that speed goes as far as the Courant number allows, in spacings, gravity and other
   forces counted, s. */
double stage_sph_courant(const sph_model *m, const sph_state *s, double speed);

/* The longest step in which nothing goes further than the Courant number allows, in spacings, gravity and other forces
   counted. Steps grow slowly, from a short one at the start: the solvers look back at the last one. Weakly compressible
   liquids do not; there sound must go no further than the Courant number times the kernel's smoothing length. */
double stage_sph_limit(const sph_model *m, sph_state *s, double wall_speed);

#endif
