/* Predictive-corrective SPH (Solenthaler & Pajarola 2009): pressures are corrected until the density, summed where the
   step is going to lead, is that at rest. The paper sums at every correction; here gradients lead from one sum to the
   next, and a sum must confirm what they lead to (sph/pressure/solve.c). Without the sum at the start half as many
   corrections again were needed. Unlike in the paper the first guess is the last step's pressure and not zero: pressure
   goes one support further with every correction, so that a deep liquid would never come to bear its weight from zero.
 */

#include "base/clock.h"
#include "sph/parts.h"
#include "sph/stage/loads.h"

enum { LEAST_CORRECTIONS = 3 };

fr_result sph_step_pcisph(const sph_model *m, sph_state *s, double dt, timing *t)
{
    const fr_sph_def *sph = &m->def->sph;
    stage_sph_loads_clear(m, s);
    sph_keep_velocity(s);
    FR_TRY(sph_step_forces(m, s, dt, t));
    double start = clock_now();
    sph_recovery recovery = sph_recovery_of(m, s, dt);
    sph_expect expect = sph_expect_of(m, dt, &recovery);
    stage_sph_predict(m, s, s->next.velocity, dt, &recovery);
    sph_solve solve = {.expect = &expect, .relax = (float)m->relax, .wall_relax = (float)(m->relax * m->diagonal),
                       .tolerance = sph->density_error, .least = LEAST_CORRECTIONS, .most = sph->max_iterations};
    sph_pressure_begin(m, s, dt, s->fluid.pressure);
    stage_sph_solve(m, s, &solve);
    sph_pressure_finish(m, s, dt, s->next.pressure);
    timing_add(t, "pressure", start);
    return sph_pressure_report(m, s, &solve);
}
