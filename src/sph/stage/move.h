/* Moves the liquid: positions from velocities, what happens at the sides, and how long a step may be. */
#ifndef FR_SPH_STAGE_MOVE_H
#define FR_SPH_STAGE_MOVE_H

#include "sph/state.h"

/* next.position from next.velocity and, with sph.xsph, s->smoothing. Positions are wrapped round at periodic sides;
   particles that got into a wall or an obstacle are put back and counted as clamps (sph/stage/collide.h).
   Fails when a velocity is not finite, or through a function of the scene. */
fr_result stage_sph_move(const sph_model *m, sph_state *s, double dt);

/* Greatest speed of the present, m/s. */
double stage_sph_max_speed(sph_state *s);

/* The time, in s, in which something of that speed covers the Courant number times the spacing, with gravity and other
   forces accelerating it. */
double stage_sph_courant(const sph_model *m, const sph_state *s, double speed);

/* The longest step in which nothing moves further than the Courant number times the spacing. Steps grow slowly, from a
   short one at the start, because the solvers start from the pressures of the last step. Not so for weakly compressible
   liquids, where instead sound must go no further than the Courant number times the smoothing length. */
double stage_sph_limit(const sph_model *m, sph_state *s, double wall_speed);

#endif
