/* One projection a step, second order in time. Along the paths of the fluid, pressure and buoyancy act half where the
   paths start and half where they end. The flow that carries is that in the middle of the step, from the last two:

     c    = uⁿ + ½ Δt/Δt' (uⁿ − uⁿ⁻¹)                        Δt' the last step
     û    = uⁿ + ½ Δt (fⁿ − ∇p/ρ)                           p of the last step
     uⁿ⁺¹ = A(û; c, Δt) + ½ Δt (fⁿ⁺¹ − ∇q/ρ),   ∇·uⁿ⁺¹ = 0
     p   := ½ (p + q)

   p is the pressure in the middle of a step. An error e of the old one makes −e in q, and the mean is free of it: the
   pressure does not oscillate. Semi-Lagrangian methods of this kind: Xiu & Karniadakis 2001. Stam's step, where
   c = û = uⁿ, loses in the projection what A turned into a gradient. */
#include "mac/coupling/coupling.h"
#include "mac/stage/advect.h"
#include "smoke/buoyancy.h"
#include "smoke/parts.h"

/* c into the memory of uⁿ⁻¹: past_velocity is uⁿ + past_reach (uⁿ − uⁿ⁻¹), also after a step that failed. */
static fr_result second_extrapolate(void *self)
{
    mac_step *step = self;
    const model *m = step->m;
    state *s = step->s;
    double reach = s->past_step > 0 ? 0.5 * step->dt / s->past_step : 0;
    double factor = s->past_reach != 0 ? reach / s->past_reach : 0;
    for (int a = 0; a < m->domain.dims; a++)
        field_blend(&s->past_velocity[a], (float)factor, &s->past_velocity[a], (float)(1 - factor), &s->velocity[a]);
    s->past_reach = reach;
    mac_finish_velocity(m, s, s->past_velocity);
    step->carrier = s->past_velocity;
    return FR_OK;
}

/* û into scratch_velocity. */
static fr_result second_push(void *self)
{
    const mac_step *step = self;
    const model *m = step->m;
    state *s = step->s;
    for (int a = 0; a < m->domain.dims; a++)
        field_copy(&s->scratch_velocity[a], &s->velocity[a]);
    stage_pressure_push(m, &s->pressure, s->scratch_velocity, step->dt / 2);
    smoke_buoyancy(self, s->scalars, step->dt / 2, s->scratch_velocity);
    mac_finish_velocity(m, s, s->scratch_velocity);
    return FR_OK;
}

/* As the flow has felt half of the old pressure, so do bodies, now that they have been moved. */
static fr_result second_push_bodies(void *self)
{
    const mac_step *step = self;
    if (step->s->coupling)
        coupling_push(step->s->coupling, step->dt / 2);
    return FR_OK;
}

static fr_result second_advect(void *self)
{
    const mac_step *step = self;
    state *s = step->s;
    stage_advect_velocity(step->m, s, s->scratch_velocity, step->carrier, s->next_velocity, step->dt);
    return FR_OK;
}

static fr_result second_buoyancy(void *self)
{
    const mac_step *step = self;
    smoke_buoyancy(self, step->scalars, step->dt / 2, step->s->next_velocity);
    return FR_OK;
}

static fr_result second_viscosity(void *self)
{
    const mac_step *step = self;
    return smoke_viscosity(step, step->dt / 2, step->dt);
}

/* q, then the mean of it and p. */
static fr_result second_project(void *self)
{
    const mac_step *step = self;
    state *s = step->s;
    FR_TRY(stage_pressure(step->m, s, step->dt / 2, smoke_sought(step->m), step->dt));
    field_blend(&s->next_pressure, 0.5f, &s->next_pressure, 0.5f, &s->pressure);
    return FR_OK;
}

const stage smoke_second[] = {
    {.name = "advect velocity", .run = second_extrapolate},
    {.name = "advect velocity", .run = second_push},
    {.name = "advect velocity", .run = second_advect},
    {.parts = mac_scalars},
    {.name = "bodies", .run = second_push_bodies},
    {.name = "force", .run = second_buoyancy},
    {.name = "force", .run = mac_fans},
    {.name = "bodies", .run = mac_weigh_bodies},
    {.parts = smoke_forces},
    {.name = "viscosity", .run = second_viscosity},
    {.name = "pressure", .run = second_project},
    {.name = "bodies", .run = mac_make_rigid},
    {.name = "check", .run = mac_check_flow},
    {.name = "bodies", .run = mac_advance_bodies},
    {0}};
