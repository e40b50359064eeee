/* Predictive-corrective SPH (Solenthaler & Pajarola 2009): pressures are corrected until the density at the predicted
   positions is that at rest,

       x_i* = x_i + Δt v_i* + s_i,   Σ_j V W(x_i* − x_j*) − 1 ≤ tolerance,

   s_i the shift by pressure. The paper sums densities at every correction. Here most corrections go by gradients, and a
   sum must confirm the result (sph/pressure/solve.c); without the sum at the start half as many corrections again were
   needed. Unlike in the paper the first guess is the last step's pressure and not zero: each correction carries
   pressure one support further, so that from zero a deep liquid would never bear its weight. */

#include "sph/parts.h"

static fr_result pcisph_solve(void *self)
{
    sph_step *step = self;
    step->expect = sph_expect_of(step->m, step->dt, &step->recovery);
    step->solve.expect = &step->expect;
    return sph_pressure_solve(step);
}

const stage sph_pcisph[] = {
    {.parts = sph_begin},
    {.parts = sph_forces},
    {.name = "pressure", .run = sph_pressure_predict},
    {.name = "pressure", .run = pcisph_solve},
    {.name = "pressure", .run = sph_pressure_push},
    {.name = "pressure", .run = sph_pressure_report},
    {.parts = sph_end},
    {0}};
