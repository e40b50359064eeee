/* Boundary layers that are thinner than a particle. Where liquid comes over a dry wall, its boundary layer grows from
   nothing to √(π ν t) after t seconds: for water after a tenth of a second, half a millimetre. A linear profile from
   the wall to the first particle would make the friction of water nine times too small at a spacing of a centimetre,
   and the tip of a wave, whose whole bed is newly wet, would run as if there were no friction. So the profile that
   velocities are taken to have is that of Stokes' first problem (Batchelor, An Introduction to Fluid Dynamics, 4.3):
   u(y) = U erf(y/2√(νt)), with the shear U/√(πνt) at the wall, where t is how long the wall has been wet. Long after
   that it is the straight line. */
#ifndef FR_SPH_STAGE_LAYER_H
#define FR_SPH_STAGE_LAYER_H

#include <math.h>

#include "sph/state.h"

/* Mean thickness of the layers over the coming dt, for walls that the liquid sticks to. */
void stage_sph_layer(const sph_model *m, sph_state *s, double dt);

/* Adds dt to the ages of the layers at wet walls, and resets those at dry ones. */
void stage_sph_layer_age(sph_state *s, double dt);

/* How much steeper the profile is at the wall than a straight line to the same velocity at `height`, for a layer as
   thick as √(πνt), both in spacings. */
static inline float sph_layer_steepness(float height, float thickness)
{
    const float half_root_pi = 0.886226925f;
    float share = height / fmaxf(thickness, 1e-6f), x = half_root_pi * share, x2 = x * x;
    if (share < 1)   /* series of erf, right to 0.03 %: implicit viscosity needs it in every iteration */
        return 1 / (1 - x2 * (1 / 3.0f - x2 * (1 / 10.0f - x2 * (1 / 42.0f - x2 * (1 / 216.0f)))));
    return share / erff(x);
}

#endif
