/* Smoke: the state at the start, the step by the scheme that the scene asks for, and what makes a step count. Each
   scheme is a file of its own: single.c, second.c, reflection.c, central.c. Particles are carried when the step has
   held, by the flows at its begin and its end. */
#include "smoke/scheme.h"

#include "base/clock.h"
#include "smoke/parts.h"
#include "mac/stage/check.h"
#include "method/evaluate.h"
#include "mac/stage/extend.h"
#include "mac/stage/pressure.h"
#include "mac/stage/tracers.h"
#include "mac/stage/transport.h"
#include "mac/stage/turbulence.h"
#include "mac/stage/walls.h"

/* Sets every face to the component of a given vector field. */
static fr_result smoke_set_velocity(const model *m, const fr_vector *value, double t, field velocity[3])
{
    for (int a = 0; a < m->domain.dims; a++) {
        field *f = &velocity[a];
        for (int k = 0; k < f->size[2]; k++)
            for (int j = 0; j < f->size[1]; j++)
                for (int i = 0; i < f->size[0]; i++) {
                    double at[3], v[3];
                    model_position(&m->domain, f, (int32_t)field_offset(f, i, j, k), at);
                    FR_TRY(evaluate_vector(value, at, t, v));
                    field_row(f, j, k)[i] = (float)v[a];
                }
    }
    return FR_OK;
}

static fr_result smoke_set_scalar(const domain *d, const fr_number *value, field *f)
{
    for (int k = 0; k < f->size[2]; k++)
        for (int j = 0; j < f->size[1]; j++)
            for (int i = 0; i < f->size[0]; i++) {
                double at[3], v;
                model_position(d, f, (int32_t)field_offset(f, i, j, k), at);
                FR_TRY(evaluate_number(value, at, 0, &v));
                field_row(f, j, k)[i] = (float)v;
            }
    return FR_OK;
}

static fr_result smoke_start_velocity(const model *m, state *s)
{
    const fr_scene_def *def = m->def;
    if (def->has_prescribed || def->has_initial_velocity)
        FR_TRY(smoke_set_velocity(m, def->has_prescribed ? &def->prescribed : &def->initial_velocity, 0,
                                  s->next_velocity));
    FR_TRY(stage_turbulence_start(m, s->next_velocity));
    smoke_finish_velocity(m, s, s->next_velocity);
    if (def->has_prescribed) {
        stage_pressure_measure(m, s);
    } else {
        stage_pressure_prepare(m, s);
        /* the pressure of this projection is not that of the flow: any Δt does, and none of it stays */
        FR_TRY(stage_pressure(m, s, 1, PRESSURE_WHOLE, 0));
        field_fill(&s->next_pressure, 0);
    }
    return FR_OK;
}

fr_result method_smoke_start(const model *m, state *s)
{
    FR_TRY(stage_walls_update(m, s, 0));
    FR_TRY(smoke_start_velocity(m, s));
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].varies)
            FR_TRY(smoke_set_scalar(model_scalar_domain(m, i), &m->scalars[i].initial, &s->next_scalars[i]));
        else
            field_fill(&s->scalars[i], (float)m->scalars[i].clean);
    FR_TRY(stage_check_velocity(m, s, "start"));
    FR_TRY(stage_check_scalars(m, s, "start"));
    method_smoke_accept(m, s, NULL);
    return stage_tracers_seed(m, s);
}

/* The flow is given at every time: scalars are carried by it as it is in the middle of the step, which is second order.
 */
static fr_result smoke_step_prescribed(const model *m, state *s, double dt, timing *t)
{
    FR_TRY(smoke_set_velocity(m, m->prescribed, s->now.time + dt / 2, s->mid_velocity));
    smoke_finish_velocity(m, s, s->mid_velocity);
    FR_TRY(smoke_scalars(m, s, s->mid_velocity, dt, t));
    FR_TRY(stage_walls_update(m, s, s->now.end));
    FR_TRY(smoke_set_velocity(m, m->prescribed, s->now.end, s->next_velocity));
    stage_pressure_measure(m, s);
    return FR_OK;
}

static fr_result smoke_step_solved(const model *m, state *s, double dt, timing *t)
{
    switch (m->def->smoke.advection) {
    case FR_ADVECTION_REFLECTION: return smoke_step_reflection(m, s, dt, t);
    case FR_ADVECTION_CENTRAL: return smoke_step_central(m, s, dt, t);
    case FR_ADVECTION_LINEAR: return smoke_step_single(m, s, dt, t);
    default: return smoke_step_second(m, s, dt, t);
    }
}

fr_result method_smoke_step(const model *m, state *s, double dt, timing *t)
{
    s->now.report = (fr_step_report){.time = s->now.end, .dt = dt};
    stage_transport_begin(m, s);
    if (m->prescribed)
        return smoke_step_prescribed(m, s, dt, t);
    FR_TRY(smoke_step_solved(m, s, dt, t));
    double start = clock_now();
    FR_TRY(stage_check_velocity(m, s, "pressure"));
    timing_add(t, "check", start);
    return FR_OK;
}

void method_smoke_accept(const model *m, state *s, timing *t)
{
    for (int a = 0; a < m->domain.dims; a++) {
        field_swap(&s->velocity[a], &s->next_velocity[a]);
        if (s->past_velocity[a].block)
            field_swap(&s->past_velocity[a], &s->next_velocity[a]);
    }
    s->past_reach = -1;
    s->past_step = s->now.end - s->now.time;
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].varies)
            field_swap(&s->scalars[i], &s->next_scalars[i]);
    field_swap(&s->pressure, &s->next_pressure);
    stage_transport_accept(m, s);
    stage_extend_pressure(s, &s->pressure);
    stage_walls_pressure(m, &s->pressure);
    smoke_finish_velocity(m, s, s->velocity);
    smoke_finish_scalars(m, s, s->scalars, s->velocity);
    double start = clock_now();
    stage_tracers_move(m, s, s->past_velocity[0].block ? s->past_velocity : s->next_velocity);
    if (m->tracer_count && t)
        timing_add(t, "carry", start);
    s->now.before = s->now.time;
    s->now.time = s->now.end;
}
