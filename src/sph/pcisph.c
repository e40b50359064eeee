/* Predictive-corrective SPH (Solenthaler & Pajarola 2009): pressures are corrected until the density, summed where the
   step is going to lead, is that at rest. The paper sums at every correction; here gradients lead from one sum to the
   next, and a sum must confirm what they lead to (sph/pressure/solve.c). Without the sum at the start half as many
   corrections again were needed. Unlike in the paper the first guess is the last step's pressure and not zero: pressure
   goes one support further with every correction, so that a deep liquid would never come to bear its weight from zero.
 */

#include "sph/parts.h"

enum { LEAST_CORRECTIONS = 3 };

static fr_result pcisph_solve(void *self)
{
    sph_step *step = self;
    step->expect = sph_expect_of(step->m, step->dt, &step->recovery);
    sph_pressure_solve(step, LEAST_CORRECTIONS, &step->expect);
    return FR_OK;
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
