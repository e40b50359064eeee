/* What the pressure of a step has to answer for. */
#ifndef FR_SPH_PRESSURE_PREDICT_H
#define FR_SPH_PRESSURE_PREDICT_H

#include "sph/pressure/expect.h"

/* The part of the density error that this step is to correct. In spray a density below 1 is no error: the whole of it
   is subtracted, so that particles may come closer. */
static inline float sph_predict_owed(const sph_recovery *recovery, const sph_state *s, int64_t n)
{
    float excess = s->density[n] - 1;
    return excess * (excess > 0 ? recovery->excess : s->density[n] < recovery->spray ? 1 : recovery->gap);
}

/* The source of the solve, into SPH_SOURCE and walls.source: Δt dρ/dt for a velocity of the fluid, and the part of the
   density error that this step is to correct (recovery NULL: none of it, and nothing of walls). */
void sph_predict(const sph_model *m, sph_state *s, const particle_vector *velocity, double dt,
                 const sph_recovery *recovery);

/* The sum of the squares of the ways that next.velocity leads, in spacings. */
double sph_predict_ways(const sph_model *m, sph_state *s, double dt);

typedef struct sph_expected {
    double excess; /* mean of what densities are too high */
    double left;   /* mean of the residuals that are positive */
} sph_expected;

/* The same as the source, but into SPH_RESIDUAL and walls.residual, with the densities that `expect` sums where
   SPH_SHIFTED leads. */
sph_expected sph_predict_there(sph_state *s, const sph_expect *expect);

#endif
