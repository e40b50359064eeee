/* What acts on a particle liquid besides pressure. Friction comes last: where it is strong it decides. */

#include "base/clock.h"
#include "method/sph_parts.h"
#include "stage/sph_force.h"
#include "stage/sph_stress.h"
#include "stage/sph_tension.h"
#include "stage/sph_viscosity.h"
#include "stage/sph_vorticity.h"

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
