/* Boundary layers that are thinner than a cell or a particle. Where liquid comes over a dry wall, its boundary layer
   grows from nothing to √(π ν t) after t seconds: for water after a tenth of a second, half a millimetre. A straight
   line from the wall to the first velocity inside would make the friction of water nine times too small at a spacing of
   a centimetre, and the tip of a wave, whose whole bed is newly wet, would run as if there were no friction. So the
   profile that velocities are taken to have is that of Stokes' first problem (Batchelor, An Introduction to Fluid
   Dynamics, 4.3): u(y) = U erf(y/2√(νt)), with the shear U/√(πνt) at the wall, where t is how long the wall has been
   wet. Long after that it is the straight line. */
#ifndef FR_GRID_LAYER_H
#define FR_GRID_LAYER_H

#include <math.h>

static const float LAYER_HALF_ROOT_PI = 0.886226925f;
static const float LAYER_THINNEST = 1e-6f; /* in the unit of heights */

/* Friction goes with one over the thickness √(πνt): this is the one whose friction is the mean from t to t + Δt. */
static inline double layer_thickness(double viscosity, double age, double dt)
{
    return sqrt(3.14159265358979323846 * viscosity) * 0.5 * (sqrt(age) + sqrt(age + dt));
}

/* Particles have the velocity at their own height, and cells the mean of theirs. */

/* How much steeper the profile is at the wall than a straight line to the same velocity at `height`, for a layer as
   thick as √(πνt), both in the same unit, a cell or a spacing. */
static inline float layer_steepness(float height, float thickness)
{
    float share = height / fmaxf(thickness, LAYER_THINNEST), x = LAYER_HALF_ROOT_PI * share, x2 = x * x;
    if (share < 1)   /* series of erf, right to 0.03 %: implicit viscosity needs it in every iteration */
        return 1 / (1 - x2 * (1 / 3.0f - x2 * (1 / 10.0f - x2 * (1 / 42.0f - x2 * (1 / 216.0f)))));
    return share / erff(x);
}

/* The mean velocity from the wall up to `height`, as a share of U: ∫ erf / x = erf x − (1 − e^(−x²))/(√π x). */
static inline float layer_mean(float height, float thickness)
{
    float x = LAYER_HALF_ROOT_PI * height / fmaxf(thickness, LAYER_THINNEST), root_pi = 2 * LAYER_HALF_ROOT_PI;
    return x < 0.05f ? x / root_pi * (1 - x * x / 6) : erff(x) + expm1f(-x * x) / (root_pi * x);
}

#endif
