/* A flow that is given at every time. Scalars are carried by it as it is in the middle of the step, which is second
   order in time:

     q' = D( S( A(q; u(t + Δt/2), Δt) ) ),   uⁿ⁺¹ = u(t + Δt). */
#include "mac/stage/walls.h"
#include "smoke/parts.h"
#include "method/evaluate.h"

/* u(t + Δt/2) into next_velocity, until the scalars have been carried. */
static fr_result prescribed_set_middle(void *self)
{
    mac_step *step = self;
    state *s = step->s;
    FR_TRY(evaluate_velocity(step->m->prescribed, &step->m->domain, s->now.time + step->dt / 2, s->next_velocity));
    mac_finish_velocity(step->m, s, s->next_velocity);
    step->carrier = s->next_velocity;
    return FR_OK;
}

static fr_result prescribed_set_end(void *self)
{
    const mac_step *step = self;
    state *s = step->s;
    FR_TRY(stage_walls_update(step->m, s, s->now.end));
    FR_TRY(evaluate_velocity(step->m->prescribed, &step->m->domain, s->now.end, s->next_velocity));
    stage_pressure_measure(step->m, s);
    return FR_OK;
}

const stage smoke_prescribed[] = {
    {.name = "prescribe", .run = prescribed_set_middle},
    {.parts = mac_scalars},
    {.name = "prescribe", .run = prescribed_set_end},
    {.name = "bodies", .run = mac_advance_bodies},
    {0}};
