/* What acts on a particle liquid besides pressure. Friction comes last: where it is strong it decides. */

#include "base/clock.h"
#include "sph/parts.h"
#include "sph/stage/force.h"
#include "sph/stage/stress.h"
#include "sph/stage/tension.h"
#include "sph/stage/viscosity.h"
#include "sph/stage/vorticity.h"

fr_result sph_step_smooth_forces(const sph_model *m, sph_state *s, double dt, timing *t)
{
    double start = clock_now();
    FR_TRY(stage_sph_force(m, s, dt, s->now.time + dt / 2));
    stage_sph_stress(m, s, dt);
    stage_sph_tension(m, s, dt);
    stage_sph_vorticity(m, s, dt);
    timing_add(t, "force", start);
    return FR_OK;
}

fr_result sph_step_forces(const sph_model *m, sph_state *s, double dt, timing *t)
{
    FR_TRY(sph_step_smooth_forces(m, s, dt, t));
    double start = clock_now();
    FR_TRY(stage_sph_viscosity(m, s, dt));
    timing_add(t, "viscosity", start);
    return FR_OK;
}
