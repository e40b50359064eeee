/* One projection a step, second order in time. Along the paths of the fluid pressure and buoyancy act half where they
   start and half where they end, and the flow that carries is the one in the middle of the step, from the last two:

     c    = uⁿ + ½ Δt/Δt' (uⁿ − uⁿ⁻¹)                        Δt' the last step
     û    = uⁿ + ½ Δt (fⁿ − ∇p/ρ)                           p of the last step
     uⁿ⁺¹ = A(û; c, Δt) + ½ Δt (fⁿ⁺¹ − ∇q/ρ),   ∇·uⁿ⁺¹ = 0
     p   := ½ (p + q)

   p stands for the middle of a step. Where the old one was off by e, q is off by −e, and the mean is right again:
   nothing swings. Semi-Lagrangian methods of this kind: Xiu & Karniadakis 2001. Stam's step, which takes c = û = uⁿ,
   loses in the projection what A turned into a gradient. */
#include "smoke/buoyancy.h"
#include "smoke/parts.h"

#include "base/clock.h"
#include "mac/stage/advect.h"
#include "mac/stage/diffuse.h"
#include "mac/stage/fan.h"
#include "mac/stage/force.h"
#include "mac/stage/pressure.h"

/* c into the memory of uⁿ⁻¹: past_velocity is uⁿ + past_reach (uⁿ − uⁿ⁻¹), and stays so when a step fails. */
static void second_reach(const model *m, state *s, double dt)
{
    double reach = s->past_step > 0 ? 0.5 * dt / s->past_step : 0;
    double factor = s->past_reach != 0 ? reach / s->past_reach : 0;
    for (int a = 0; a < m->domain.dims; a++)
        field_blend(&s->past_velocity[a], (float)factor, &s->past_velocity[a], (float)(1 - factor), &s->velocity[a]);
    s->past_reach = reach;
    smoke_finish_velocity(m, s, s->past_velocity);
}

/* û into spare_velocity. */
static void second_push(const model *m, state *s, double dt)
{
    for (int a = 0; a < m->domain.dims; a++)
        field_copy(&s->spare_velocity[a], &s->velocity[a]);
    stage_pressure_push(m, &s->pressure, s->spare_velocity, dt / 2);
    smoke_buoyancy(m, s, s->scalars, dt / 2, s->spare_velocity);
    smoke_finish_velocity(m, s, s->spare_velocity);
}

static fr_result second_project(const model *m, state *s, double dt, timing *t)
{
    double start = clock_now();
    if (m->viscous) {
        field_copy(&s->next_pressure, &s->pressure);
        stage_pressure_push(m, &s->next_pressure, s->next_velocity, dt / 2);
        smoke_finish_velocity(m, s, s->next_velocity);
        FR_TRY(stage_viscosity(m, s, dt));
    }
    start = timing_add(t, "viscosity", start);
    FR_TRY(stage_pressure(m, s, dt / 2, m->viscous ? PRESSURE_CHANGE : PRESSURE_WHOLE, dt));
    field_blend(&s->next_pressure, 0.5f, &s->next_pressure, 0.5f, &s->pressure);
    timing_add(t, "pressure", start);
    return FR_OK;
}

fr_result smoke_step_second(const model *m, state *s, double dt, timing *t)
{
    double start = clock_now();
    second_reach(m, s, dt);
    second_push(m, s, dt);
    stage_advect_velocity(m, s, s->spare_velocity, s->past_velocity, s->next_velocity, dt);
    timing_add(t, "advect velocity", start);
    FR_TRY(smoke_scalars(m, s, s->past_velocity, dt, t));
    start = clock_now();
    smoke_buoyancy(m, s, s->next_scalars, dt / 2, s->next_velocity);
    FR_TRY(stage_fans(m, s, dt, s->now.time + dt / 2));
    timing_add(t, "force", start);
    FR_TRY(smoke_forces(m, s, dt, s->now.time + dt / 2, s->now.end, t));
    return second_project(m, s, dt, t);
}
