/* Advection–reflection (Zehnder, Narain & Thomaszewski 2018; second order in time as in Narain, Zehnder & Thomaszewski
   2019). A projection takes energy away: what the advection turned into ∇p is lost. Here the step is cut in two around
   one projection, and the second half starts from the flow reflected about the divergence-free ones:

     ũ   = A(uⁿ + Δt/2 fⁿ; uⁿ, Δt/2),    u½ = ũ − Δt/2 ∇p
     û   = u½ − Δt/2 ∇p
     uⁿ⁺¹ = P( A(û; c, Δt/2) + Δt/2 fⁿ⁺¹ )

   The first half is carried by uⁿ and the second by c = 2u½ − uⁿ ≈ uⁿ⁺¹: the trapezoidal rule. Scalars go once, by u½.
   The second projection seeks only the change against p, which û has felt already. */
#include "smoke/buoyancy.h"
#include "smoke/parts.h"

#include "base/clock.h"
#include "mac/stage/advect.h"
#include "mac/stage/diffuse.h"
#include "mac/stage/extend.h"
#include "mac/stage/fan.h"
#include "mac/stage/force.h"
#include "mac/stage/pressure.h"

/* ũ and its projection: next_velocity is u½ after this. */
static fr_result reflection_first_half(const model *m, state *s, double half, timing *t)
{
    double start = clock_now();
    for (int a = 0; a < m->domain.dims; a++)
        field_copy(&s->spare_velocity[a], &s->velocity[a]);
    smoke_buoyancy(m, s, s->scalars, half, s->spare_velocity);
    smoke_finish_velocity(m, s, s->spare_velocity);
    stage_advect_velocity(m, s, s->spare_velocity, s->velocity, s->next_velocity, half);
    start = timing_add(t, "advect velocity", start);
    FR_TRY(stage_fans(m, s, half, s->now.time + half / 2));
    timing_add(t, "force", start);
    FR_TRY(smoke_forces(m, s, half, s->now.time + half / 2, s->now.time + half, t));
    start = clock_now();
    if (m->viscous) {
        field_copy(&s->next_pressure, &s->pressure);
        stage_pressure_push(m, &s->next_pressure, s->next_velocity, half);
        smoke_finish_velocity(m, s, s->next_velocity);
        FR_TRY(stage_viscosity(m, s, half));
    }
    start = timing_add(t, "viscosity", start);
    FR_TRY(stage_pressure(m, s, half, m->viscous ? PRESSURE_CHANGE : PRESSURE_WHOLE, half));
    smoke_finish_velocity(m, s, s->next_velocity);
    timing_add(t, "pressure", start);
    return FR_OK;
}

/* c goes to mid_velocity and û to next_velocity. */
static void reflection_turn(const model *m, state *s, double half)
{
    for (int a = 0; a < m->domain.dims; a++)
        field_blend(&s->mid_velocity[a], 2, &s->next_velocity[a], -1, &s->velocity[a]);
    smoke_finish_velocity(m, s, s->mid_velocity);
    stage_pressure_push(m, &s->next_pressure, s->next_velocity, half);
    smoke_finish_velocity(m, s, s->next_velocity);
}

static fr_result reflection_second_half(const model *m, state *s, double half, timing *t)
{
    double start = clock_now();
    stage_advect_velocity(m, s, s->next_velocity, s->mid_velocity, s->spare_velocity, half);
    for (int a = 0; a < m->domain.dims; a++)
        field_swap(&s->next_velocity[a], &s->spare_velocity[a]);
    start = timing_add(t, "advect velocity", start);
    smoke_buoyancy(m, s, s->next_scalars, half, s->next_velocity);
    FR_TRY(stage_fans(m, s, half, s->now.end - half / 2));
    timing_add(t, "force", start);
    FR_TRY(smoke_forces(m, s, half, s->now.end - half / 2, s->now.end, t));
    start = clock_now();
    if (m->viscous)
        FR_TRY(stage_viscosity(m, s, half));
    start = timing_add(t, "viscosity", start);
    /* the pressure of the step is the mean of its halves: all that a wall's speed changes by falls into the second */
    field first;
    field_over(s->spare_velocity[0].block, &m->domain, FR_AT_CELL, &first);
    field_copy(&first, &s->next_pressure);
    FR_TRY(stage_pressure(m, s, half, PRESSURE_CHANGE, half));
    field_blend(&s->next_pressure, 0.5f, &s->next_pressure, 0.5f, &first);
    timing_add(t, "pressure", start);
    return FR_OK;
}

fr_result smoke_step_reflection(const model *m, state *s, double dt, timing *t)
{
    FR_TRY(reflection_first_half(m, s, dt / 2, t));
    stage_extend_pressure(s, &s->next_pressure);   /* for cells that a moving obstacle lays bare */
    FR_TRY(smoke_scalars(m, s, s->next_velocity, dt, t));
    reflection_turn(m, s, dt / 2);
    return reflection_second_half(m, s, dt / 2, t);
}
