/* One step, from a divergence-free flow uⁿ (Stam 1999; Macêdo 4.1; Bridson 2008 for the order):

     advect     everything along uⁿ; scalars whose total is to be kept in flux form
     emit       sources, decay of scalars
     diffuse    scalars
     force      buoyancy, confinement, the scene's forces, flow held by sources
     viscosity  implicit
     pressure   back to ∇·u = 0

   The flow that carries is always one that has been projected. */
#include "method/smoke.h"

#include "base/clock.h"
#include "stage/advect.h"
#include "stage/check.h"
#include "stage/diffuse.h"
#include "stage/emit.h"
#include "stage/evaluate.h"
#include "stage/extend.h"
#include "stage/force.h"
#include "stage/pressure.h"
#include "stage/transport.h"
#include "stage/vorticity.h"
#include "stage/walls.h"

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

static fr_result smoke_set_scalar(const model *m, const fr_number *value, field *f)
{
    for (int k = 0; k < f->size[2]; k++)
        for (int j = 0; j < f->size[1]; j++)
            for (int i = 0; i < f->size[0]; i++) {
                double at[3], v;
                model_position(&m->domain, f, (int32_t)field_offset(f, i, j, k), at);
                FR_TRY(evaluate_number(value, at, 0, &v));
                field_row(f, j, k)[i] = (float)v;
            }
    return FR_OK;
}

/* Sides, obstacles and ghosts of the flow. */
static void smoke_finish_velocity(const model *m, state *s, field velocity[3])
{
    stage_extend_velocity(m, s, velocity);
    stage_walls_velocity(m, s, velocity);
}

/* Obstacles and ghosts of the scalars, for the flow that will carry them. */
static void smoke_finish_scalars(const model *m, state *s, field *scalars, const field velocity[3])
{
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].varies) {
            if (m->scalars[i].conserved)
                stage_extend_clean(m, s, i, &scalars[i]);
            else
                stage_extend_scalar(m, s, i, &scalars[i]);
            stage_walls_scalar(m, s, i, velocity, &scalars[i]);
        }
}

static fr_result smoke_start_velocity(const model *m, state *s)
{
    const fr_scene_def *def = m->def;
    if (def->has_prescribed || def->has_initial_velocity)
        FR_TRY(smoke_set_velocity(m, def->has_prescribed ? &def->prescribed : &def->initial_velocity, 0, s->next_velocity));
    smoke_finish_velocity(m, s, s->next_velocity);
    if (def->has_prescribed) {
        stage_pressure_measure(m, s);
    } else {
        stage_pressure_prepare(m, s);
        /* the pressure of this projection is not that of the flow: any Δt does, and none of it stays */
        FR_TRY(stage_pressure(m, s, 1));
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
            FR_TRY(smoke_set_scalar(m, &m->scalars[i].initial, &s->next_scalars[i]));
        else
            field_fill(&s->scalars[i], (float)m->scalars[i].clean);
    FR_TRY(stage_check_velocity(m, s, "start"));
    FR_TRY(stage_check_scalars(m, s, "start"));
    method_smoke_accept(m, s);
    return FR_OK;
}

static fr_result smoke_scalars(const model *m, state *s, double dt, timing *t)
{
    double start = clock_now();
    stage_advect_scalars(m, s, dt);
    start = timing_add(t, "advect scalars", start);
    FR_TRY(stage_transport_scalars(m, s, s->velocity, dt));
    stage_transport_settle(m, s);
    start = timing_add(t, "transport scalars", start);
    stage_dissipate(m, s, dt);
    FR_TRY(stage_emit_scalars(m, s));
    start = timing_add(t, "emit", start);
    FR_TRY(stage_check_scalars(m, s, "emit"));
    start = timing_add(t, "check", start);
    FR_TRY(stage_diffuse_scalars(m, s, dt));
    smoke_finish_scalars(m, s, s->next_scalars, s->velocity);
    timing_add(t, "diffuse scalars", start);
    return FR_OK;
}

static fr_result smoke_flow(const model *m, state *s, double dt, timing *t)
{
    double start = clock_now();
    stage_advect_velocity(m, s, dt);
    start = timing_add(t, "advect velocity", start);
    stage_force_buoyancy(m, s, dt);
    stage_vorticity(m, s, dt);
    FR_TRY(stage_force_given(m, s, dt));
    FR_TRY(stage_emit_velocity(m, s));
    FR_TRY(stage_walls_update(m, s, s->end));
    smoke_finish_velocity(m, s, s->next_velocity);
    start = timing_add(t, "force", start);
    FR_TRY(stage_check_velocity(m, s, "force"));
    start = timing_add(t, "check", start);
    if (m->viscous) {
        stage_pressure_predict(m, s, dt);
        smoke_finish_velocity(m, s, s->next_velocity);
        FR_TRY(stage_viscosity(m, s, dt));
    }
    start = timing_add(t, "viscosity", start);
    FR_TRY(stage_pressure(m, s, dt));
    timing_add(t, "pressure", start);
    return FR_OK;
}

fr_result method_smoke_step(const model *m, state *s, double dt, timing *t)
{
    s->report = (fr_step_report){.time = s->end, .dt = dt};
    FR_TRY(smoke_scalars(m, s, dt, t));
    if (m->def->has_prescribed) {
        FR_TRY(stage_walls_update(m, s, s->end));
        FR_TRY(smoke_set_velocity(m, &m->def->prescribed, s->end, s->next_velocity));
        stage_pressure_measure(m, s);
        return FR_OK;
    }
    FR_TRY(smoke_flow(m, s, dt, t));
    double start = clock_now();
    FR_TRY(stage_check_velocity(m, s, "pressure"));
    timing_add(t, "check", start);
    return FR_OK;
}

void method_smoke_accept(const model *m, state *s)
{
    for (int a = 0; a < m->domain.dims; a++)
        field_swap(&s->velocity[a], &s->next_velocity[a]);
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].varies) {
            field_swap(&s->scalars[i], &s->next_scalars[i]);
            s->entered[i] = s->next_entered[i];
        }
    field_swap(&s->pressure, &s->next_pressure);
    smoke_finish_velocity(m, s, s->velocity);
    smoke_finish_scalars(m, s, s->scalars, s->velocity);
    s->time = s->end;
}
