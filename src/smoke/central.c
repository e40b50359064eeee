/* Central fluxes and the midpoint rule: second order in space and time.

     u½ = P V( uⁿ + Δt/2 [ −(u½·∇)u½ − ∇p/ρ + f ] ),        uⁿ⁺¹ = P( 2 V(…) − uⁿ ),

   V the implicit viscosity over Δt/2, which makes the whole step Crank and Nicolson's, P the projection over the change
   of p. u½ stands on both sides; it is found in SWEEPS passes from uⁿ. On a wave with λΔt = iy two passes would
   multiply the amplitude by |1 + iy − y²/2| > 1: without viscosity it would grow. Three give |g|² = 1 − y⁴/4 + y⁶/16,
   stable up to y = 2, and an infinite number would keep energy exactly (Simo & Armero 1994). Scalars go once, by u½ of
   the first pass. */
#include "smoke/buoyancy.h"
#include "smoke/parts.h"

#include "base/clock.h"
#include "mac/stage/diffuse.h"
#include "mac/stage/emit.h"
#include "mac/stage/extend.h"
#include "mac/stage/fan.h"
#include "mac/stage/force.h"
#include "mac/stage/momentum.h"
#include "mac/stage/pressure.h"
#include "mac/stage/walls.h"

enum { SWEEPS = 3 };

/* V( uⁿ + Δt/2 [ … ] ) from the flow found so far and from the mean of two states of the scalars. */
static fr_result central_half(const model *m, state *s, const field flow[3], const field *scalars, double half,
                              timing *t)
{
    double start = clock_now();
    stage_momentum(m, s, flow, half);
    start = timing_add(t, "advect velocity", start);
    smoke_buoyancy(m, s, s->scalars, half / 2, s->next_velocity);
    smoke_buoyancy(m, s, scalars, half / 2, s->next_velocity);
    timing_add(t, "force", start);
    FR_TRY(smoke_forces(m, s, half, s->now.time + half, s->now.time + half, t));
    start = clock_now();
    stage_pressure_push(m, &s->next_pressure, s->next_velocity, half);
    smoke_finish_velocity(m, s, s->next_velocity);
    if (m->viscous)
        FR_TRY(stage_viscosity(m, s, half));
    timing_add(t, "viscosity", start);
    return FR_OK;
}

/* u½ goes to mid_velocity. */
static fr_result central_middle(const model *m, state *s, double half, timing *t)
{
    double start = clock_now();
    FR_TRY(stage_pressure(m, s, half, PRESSURE_CHANGE, half));
    smoke_finish_velocity(m, s, s->next_velocity);
    for (int a = 0; a < m->domain.dims; a++)
        field_swap(&s->mid_velocity[a], &s->next_velocity[a]);
    timing_add(t, "pressure", start);
    return FR_OK;
}

/* From V(…) at the middle on to uⁿ⁺¹. */
static fr_result central_end(const model *m, state *s, double dt, timing *t)
{
    double start = clock_now();
    for (int a = 0; a < m->domain.dims; a++)
        field_blend(&s->next_velocity[a], 2, &s->next_velocity[a], -1, &s->velocity[a]);
    /* what drives the flow to a speed acts here, at once over the step: doubled from its middle it would overshoot */
    FR_TRY(stage_fans(m, s, dt, s->now.time + dt / 2));
    stage_stick(m, s);
    FR_TRY(stage_emit_velocity(m, s));
    FR_TRY(stage_walls_update(m, s, s->now.end));
    stage_extend_slivers(m, s, s->next_velocity);
    smoke_finish_velocity(m, s, s->next_velocity);
    FR_TRY(stage_pressure(m, s, dt, PRESSURE_CHANGE, dt / 2));
    timing_add(t, "pressure", start);
    return FR_OK;
}

fr_result smoke_step_central(const model *m, state *s, double dt, timing *t)
{
    double half = dt / 2;
    field_copy(&s->next_pressure, &s->pressure);
    FR_TRY(central_half(m, s, s->velocity, s->scalars, half, t));
    FR_TRY(central_middle(m, s, half, t));
    FR_TRY(smoke_scalars(m, s, s->mid_velocity, dt, t));
    for (int sweep = 1; sweep < SWEEPS; sweep++) {
        FR_TRY(central_half(m, s, s->mid_velocity, s->next_scalars, half, t));
        if (sweep < SWEEPS - 1)
            FR_TRY(central_middle(m, s, half, t));
    }
    return central_end(m, s, dt, t);
}
