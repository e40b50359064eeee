/* The motion of all particles as one rigid body that has the momentum and the angular momentum of given velocities. */
#ifndef FR_SPH_FRICTION_RIGID_H
#define FR_SPH_FRICTION_RIGID_H

#include "sph/pressure/sums.h"
#include "sph/state.h"

typedef struct friction_motion {
    four centre, velocity, spin;
} friction_motion;

/* Of `velocity`; `turns`: with its spin. Uses the state's partial results. */
friction_motion friction_rigid(sph_state *s, const particle_vector *velocity, bool turns);

static inline four rigid_cross(four a, four b)
{
    return (four){a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0], 0};
}

static inline four rigid_at(const friction_motion *motion, four position)
{
    return motion->velocity + rigid_cross(motion->spin, position - motion->centre);
}

#endif
