/* Smoke: the state at the start, the step by the scheme that the scene asks for, and accepting a step. Each
   scheme is a file of its own: prescribed.c, single.c, second.c, reflection.c, central.c. */
#include "smoke/scheme.h"

#include "mac/coupling/coupling.h"
#include "mac/stage/check.h"
#include "mac/stage/extend.h"
#include "mac/stage/tracers.h"
#include "mac/stage/transport.h"
#include "mac/stage/turbulence.h"
#include "mac/stage/walls.h"
#include "smoke/parts.h"
#include "method/evaluate.h"

static fr_result smoke_start_velocity(const model *m, state *s)
{
    const fr_vector *given = m->prescribed ? m->prescribed : m->initial_velocity;
    if (given)
        FR_TRY(evaluate_velocity(given, &m->domain, 0, s->next_velocity));
    FR_TRY(stage_turbulence_start(m, s->next_velocity));
    mac_finish_velocity(m, s, s->next_velocity);
    if (m->prescribed) {
        stage_pressure_measure(m, s);
    } else {
        stage_pressure_prepare(m, s);
        /* this pressure is not that of the flow: any Δt will do, and it is not kept */
        FR_TRY(stage_pressure(m, s, 1, PRESSURE_WHOLE, 0));
        field_fill(&s->next_pressure, 0);
    }
    return FR_OK;
}

/* The next fields become the present ones. */
static void smoke_exchange(const model *m, state *s)
{
    for (int a = 0; a < m->domain.dims; a++) {
        field_swap(&s->velocity[a], &s->next_velocity[a]);
        if (s->past_velocity[a].block)
            field_swap(&s->past_velocity[a], &s->next_velocity[a]);
    }
    s->rate = 0; /* in obstacles it is extended below */
    s->past_reach = -1;
    s->past_step = s->now.end - s->now.time;
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].varies)
            field_swap(&s->scalars[i], &s->next_scalars[i]);
    field_swap(&s->pressure, &s->next_pressure);
    stage_transport_accept(m, s);
    stage_extend_pressure(s, &s->pressure);
    stage_walls_pressure(m, &s->pressure);
    mac_finish_velocity(m, s, s->velocity);
    mac_finish_scalars(m, s, s->scalars, s->velocity);
}

fr_result smoke_scheme_start(mac_run *run)
{
    const model *m = run->model;
    state *s = run->state;
    FR_TRY(stage_walls_update(m, s, 0));
    FR_TRY(smoke_start_velocity(m, s));
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].varies)
            FR_TRY(evaluate_field(&m->scalars[i].initial, model_scalar_domain(m, i), 0, &s->next_scalars[i]));
        else
            field_fill(&s->scalars[i], (float)m->scalars[i].clean);
    FR_TRY(stage_check_velocity(m, s, "start"));
    FR_TRY(stage_check_scalars(m, s, "start"));
    smoke_exchange(m, s);
    return stage_tracers_seed(m, s);
}

static const stage *smoke_scheme(const model *m)
{
    if (m->prescribed)
        return smoke_prescribed;
    switch (m->choice.advection) {
    case FR_ADVECTION_REFLECTION: return smoke_reflection;
    case FR_ADVECTION_CENTRAL: return smoke_central;
    case FR_ADVECTION_LINEAR: return smoke_single;
    default: return smoke_second;
    }
}

fr_result smoke_scheme_step(mac_run *run, double dt)
{
    smoke_step step = {mac_begin(run->model, run->state, dt), &run->base.def->smoke};
    return stages_run(smoke_scheme(run->model), &step, &run->base.timing);
}

/* Particles go with the flows at the step's begin and its end. After the exchange the former is in past_velocity,
   or in next_velocity for schemes without a past one. */
static fr_result smoke_carry_particles(void *self)
{
    const mac_step *step = self;
    state *s = step->s;
    stage_tracers_move(step->m, s, s->past_velocity[0].block ? s->past_velocity : s->next_velocity);
    return FR_OK;
}

/* Once a step is accepted. Nothing here can fail. */
static const stage smoke_with_particles[] = {{.name = "carry", .run = smoke_carry_particles}, {0}};

void smoke_scheme_accept(mac_run *run)
{
    const progress *now = &run->state->now;
    mac_step step = mac_begin(run->model, run->state, now->end - now->time);
    smoke_exchange(run->model, run->state);
    if (run->state->coupling)
        coupling_accept(run->state->coupling);
    if (run->model->tracer_count)
        (void)stages_run(smoke_with_particles, &step, &run->base.timing);
}
