/* One projection a step, as in Stable Fluids (Stam 1999; Macêdo 4.1; Bridson 2008 for the order): first order in time.

     q'   = D( S( A(q; uⁿ, Δt) ) )                                   scalars
     ũ    = V( A(uⁿ; uⁿ, Δt) + Δt f(q') )
     uⁿ⁺¹ = ũ − Δt ∇p/ρ,   ∇·uⁿ⁺¹ = 0

   A carries along a flow, S adds what sources give and takes what decays, D and V are implicit diffusion and viscosity.
   The flow that carries is always one that has been projected. */
#include "mac/stage/advect.h"
#include "smoke/buoyancy.h"
#include "smoke/parts.h"

static fr_result single_advect(void *self)
{
    const mac_step *step = self;
    state *s = step->s;
    stage_advect_velocity(step->m, s, s->velocity, s->velocity, s->next_velocity, step->dt);
    return FR_OK;
}

static fr_result single_buoyancy(void *self)
{
    const mac_step *step = self;
    smoke_buoyancy(self, step->scalars, step->dt, step->s->next_velocity);
    return FR_OK;
}

static fr_result single_viscosity(void *self)
{
    const mac_step *step = self;
    return smoke_viscosity(step, step->dt, step->dt);
}

static fr_result single_project(void *self)
{
    const mac_step *step = self;
    return stage_pressure(step->m, step->s, step->dt, smoke_sought(step->m), step->dt);
}

const stage smoke_single[] = {
    {.parts = mac_scalars},
    {.name = "advect velocity", .run = single_advect},
    {.name = "force", .run = single_buoyancy},
    {.name = "force", .run = mac_fans},
    {.name = "bodies", .run = mac_weigh_bodies},
    {.parts = smoke_forces},
    {.name = "viscosity", .run = single_viscosity},
    {.name = "pressure", .run = single_project},
    {.name = "bodies", .run = mac_make_rigid},
    {.name = "check", .run = mac_check_flow},
    {.name = "bodies", .run = mac_advance_bodies},
    {0}};
