/* Advection–reflection (Zehnder, Narain & Thomaszewski 2018; second order in time as in Narain, Zehnder & Thomaszewski
   2019). A projection takes energy away: what the advection turned into ∇p is lost. Here the step is cut in two around
   one projection, and the second half starts from the flow reflected about the divergence-free ones:

     ũ   = A(uⁿ + Δt/2 fⁿ; uⁿ, Δt/2),    u½ = ũ − Δt/2 ∇p
     û   = u½ − Δt/2 ∇p
     uⁿ⁺¹ = P( A(û; c, Δt/2) + Δt/2 fⁿ⁺¹ )

   The first half is carried by uⁿ and the second by c = 2u½ − uⁿ ≈ uⁿ⁺¹: the trapezoidal rule. Scalars are carried
   once, by u½. The second projection seeks only the change against p, which û has felt already. */
#include "mac/stage/advect.h"
#include "mac/stage/diffuse.h"
#include "mac/stage/extend.h"
#include "smoke/buoyancy.h"
#include "smoke/parts.h"

/* A(uⁿ + Δt/2 fⁿ; uⁿ, Δt/2). */
static fr_result reflection_advect_first(void *self)
{
    mac_step *step = self;
    const model *m = step->m;
    state *s = step->s;
    step->span = mac_first_half(step);
    for (int a = 0; a < m->domain.dims; a++)
        field_copy(&s->scratch_velocity[a], &s->velocity[a]);
    smoke_buoyancy(self, s->scalars, step->span.dt, s->scratch_velocity);
    mac_finish_velocity(m, s, s->scratch_velocity);
    stage_advect_velocity(m, s, s->scratch_velocity, step->carrier, s->next_velocity, step->span.dt);
    return FR_OK;
}

static fr_result reflection_viscosity_first(void *self)
{
    const mac_step *step = self;
    return smoke_viscosity(step, step->span.dt, step->span.dt);
}

/* next_velocity becomes u½, next_pressure p. */
static fr_result reflection_project_first(void *self)
{
    mac_step *step = self;
    state *s = step->s;
    FR_TRY(stage_pressure(step->m, s, step->span.dt, smoke_sought(step->m), step->span.dt));
    mac_finish_velocity(step->m, s, s->next_velocity);
    stage_extend_pressure(s, &s->next_pressure);   /* for cells that a moving obstacle uncovers */
    step->carrier = s->next_velocity;
    return FR_OK;
}

/* c into mid_velocity, û into next_velocity. */
static fr_result reflection_reflect(void *self)
{
    mac_step *step = self;
    const model *m = step->m;
    state *s = step->s;
    step->span = mac_second_half(step);
    for (int a = 0; a < m->domain.dims; a++)
        field_blend(&s->mid_velocity[a], 2, &s->next_velocity[a], -1, &s->velocity[a]);
    mac_finish_velocity(m, s, s->mid_velocity);
    stage_pressure_push(m, &s->next_pressure, s->next_velocity, step->span.dt);
    mac_finish_velocity(m, s, s->next_velocity);
    step->carrier = s->mid_velocity;
    return FR_OK;
}

/* A(û; c, Δt/2). */
static fr_result reflection_advect_second(void *self)
{
    const mac_step *step = self;
    state *s = step->s;
    stage_advect_velocity(step->m, s, s->next_velocity, step->carrier, s->scratch_velocity, step->span.dt);
    for (int a = 0; a < step->m->domain.dims; a++)
        field_swap(&s->next_velocity[a], &s->scratch_velocity[a]);
    return FR_OK;
}

static fr_result reflection_buoyancy(void *self)
{
    const mac_step *step = self;
    smoke_buoyancy(self, step->scalars, step->span.dt, step->s->next_velocity);
    return FR_OK;
}

/* û has felt p already. */
static fr_result reflection_viscosity_second(void *self)
{
    const mac_step *step = self;
    return step->m->viscous ? stage_viscosity(step->m, step->s, step->span.dt) : FR_OK;
}

/* The pressure of the step is the mean of its halves: all change of a moving wall's speed falls into the second. */
static fr_result reflection_project_second(void *self)
{
    const mac_step *step = self;
    const model *m = step->m;
    state *s = step->s;
    field first = state_scratch_cells(m, s, 2, 0);
    field_copy(&first, &s->next_pressure);
    FR_TRY(stage_pressure(m, s, step->span.dt, PRESSURE_CHANGE, step->span.dt));
    field_blend(&s->next_pressure, 0.5f, &s->next_pressure, 0.5f, &first);
    return FR_OK;
}

const stage smoke_reflection[] = {
    {.name = "advect velocity", .run = reflection_advect_first},
    {.name = "force", .run = mac_fans},
    {.parts = smoke_forces},
    {.name = "viscosity", .run = reflection_viscosity_first},
    {.name = "pressure", .run = reflection_project_first},
    {.parts = mac_scalars},
    {.name = "advect velocity", .run = reflection_reflect},
    {.name = "advect velocity", .run = reflection_advect_second},
    {.name = "force", .run = reflection_buoyancy},
    {.name = "force", .run = mac_fans},
    {.parts = smoke_forces},
    {.name = "viscosity", .run = reflection_viscosity_second},
    {.name = "pressure", .run = reflection_project_second},
    {.name = "check", .run = mac_check_flow},
    {0}};
