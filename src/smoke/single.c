/* One projection a step, as in Stable Fluids (Stam 1999; Macêdo 4.1; Bridson 2008 for the order): first order in time.

     advect     everything along uⁿ; scalars whose total is kept in flux form
     emit       sources, decay of scalars
     diffuse    scalars
     force      buoyancy, confinement, the scene's forces, flow held by sources
     viscosity  implicit
     pressure   back to ∇·u = 0

   The flow that carries is always one that has been projected. */
#include "smoke/buoyancy.h"
#include "smoke/parts.h"

#include "base/clock.h"
#include "mac/stage/advect.h"
#include "mac/stage/diffuse.h"
#include "mac/stage/fan.h"
#include "mac/stage/force.h"
#include "mac/stage/pressure.h"

fr_result smoke_step_single(const model *m, state *s, double dt, timing *t)
{
    FR_TRY(smoke_scalars(m, s, s->velocity, dt, t));
    double start = clock_now();
    stage_advect_velocity(m, s, s->velocity, s->velocity, s->next_velocity, dt);
    start = timing_add(t, "advect velocity", start);
    smoke_buoyancy(m, s, s->next_scalars, dt, s->next_velocity);
    FR_TRY(stage_fans(m, s, dt, s->now.time + dt / 2));
    timing_add(t, "force", start);
    FR_TRY(smoke_forces(m, s, dt, s->now.time + dt / 2, s->now.end, t));
    start = clock_now();
    if (m->viscous) {
        field_copy(&s->next_pressure, &s->pressure);
        stage_pressure_push(m, &s->next_pressure, s->next_velocity, dt);
        smoke_finish_velocity(m, s, s->next_velocity);
        FR_TRY(stage_viscosity(m, s, dt));
    }
    start = timing_add(t, "viscosity", start);
    FR_TRY(stage_pressure(m, s, dt, m->viscous ? PRESSURE_CHANGE : PRESSURE_WHOLE, dt));
    timing_add(t, "pressure", start);
    return FR_OK;
}
