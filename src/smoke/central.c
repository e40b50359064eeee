/* Central fluxes and the midpoint rule: second order in space and time.

     u½ = P V( uⁿ + Δt/2 [ −(u½·∇)u½ − ∇p/ρ + f ] ),        uⁿ⁺¹ = P( 2 V(…) − uⁿ ),

   V the implicit viscosity over Δt/2, which makes the whole step Crank and Nicolson's, P the projection over the change
   of p. u½ stands on both sides; it is found in three passes from uⁿ. On a wave with λΔt = iy two passes would
   multiply the amplitude by |1 + iy − y²/2| > 1: without viscosity it would grow. Three give |g|² = 1 − y⁴/4 + y⁶/16,
   stable up to y = 2, and infinitely many would keep energy exactly (Simo & Armero 1994). Scalars are
   carried once, by u½ of the first pass. */
#include "mac/stage/diffuse.h"
#include "mac/stage/emit.h"
#include "mac/stage/extend.h"
#include "mac/stage/fan.h"
#include "mac/stage/momentum.h"
#include "mac/stage/walls.h"
#include "smoke/buoyancy.h"
#include "smoke/parts.h"

/* First guesses: uⁿ for u½, and the last step's pressure. */
static fr_result central_begin(void *self)
{
    mac_step *step = self;
    state *s = step->s;
    double half = step->dt / 2, middle = s->now.time + half;
    step->span = (mac_span){.dt = half, .middle = middle, .end = middle};
    field_copy(&s->next_pressure, &s->pressure);
    return FR_OK;
}

/* uⁿ − Δt/2 (u½·∇)u½. */
static fr_result central_advect(void *self)
{
    const mac_step *step = self;
    stage_momentum(step->m, step->s, step->carrier, step->span.dt);
    return FR_OK;
}

/* From the mean of the present scalars and the latest. */
static fr_result central_buoyancy(void *self)
{
    const mac_step *step = self;
    state *s = step->s;
    smoke_buoyancy(self, s->scalars, step->span.dt / 2, s->next_velocity);
    smoke_buoyancy(self, step->scalars, step->span.dt / 2, s->next_velocity);
    return FR_OK;
}

/* next_velocity becomes V(…). */
static fr_result central_viscosity(void *self)
{
    const mac_step *step = self;
    state *s = step->s;
    stage_pressure_push(step->m, &s->next_pressure, s->next_velocity, step->span.dt);
    mac_finish_velocity(step->m, s, s->next_velocity);
    return step->m->viscous ? stage_viscosity(step->m, s, step->span.dt) : FR_OK;
}

/* u½ into mid_velocity. */
static fr_result central_project_middle(void *self)
{
    mac_step *step = self;
    state *s = step->s;
    FR_TRY(stage_pressure(step->m, s, step->span.dt, PRESSURE_CHANGE, step->span.dt));
    mac_finish_velocity(step->m, s, s->next_velocity);
    for (int a = 0; a < step->m->domain.dims; a++)
        field_swap(&s->mid_velocity[a], &s->next_velocity[a]);
    step->carrier = s->mid_velocity;
    return FR_OK;
}

/* 2 V(…) − uⁿ. What drives the flow to a given speed acts here, at once over the step: doubled from its middle it would
   overshoot. */
static fr_result central_extrapolate(void *self)
{
    const mac_step *step = self;
    const model *m = step->m;
    state *s = step->s;
    for (int a = 0; a < m->domain.dims; a++)
        field_blend(&s->next_velocity[a], 2, &s->next_velocity[a], -1, &s->velocity[a]);
    FR_TRY(stage_fans(m, s, step->dt, s->now.time + step->dt / 2));
    stage_stick(m, s);
    FR_TRY(stage_emit_velocity(m, s));
    FR_TRY(stage_walls_update(m, s, s->now.end));
    stage_extend_slivers(m, s, s->next_velocity);
    mac_finish_velocity(m, s, s->next_velocity);
    return FR_OK;
}

static fr_result central_project_end(void *self)
{
    const mac_step *step = self;
    return stage_pressure(step->m, step->s, step->dt, PRESSURE_CHANGE, step->dt / 2);
}

/* V( uⁿ + Δt/2 [ … ] ) from the flow and the scalars found so far. */
static const stage central_pass[] = {
    {.name = "advect velocity", .run = central_advect},
    {.name = "force", .run = central_buoyancy},
    {.parts = smoke_forces},
    {.name = "viscosity", .run = central_viscosity},
    {0}};

const stage smoke_central[] = {
    {.name = "advect velocity", .run = central_begin},
    {.parts = central_pass},
    {.name = "pressure", .run = central_project_middle},
    {.parts = mac_scalars},
    {.parts = central_pass},
    {.name = "pressure", .run = central_project_middle},
    {.parts = central_pass},
    {.name = "pressure", .run = central_extrapolate},
    {.name = "pressure", .run = central_project_end},
    {.name = "check", .run = mac_check_flow},
    {0}};
