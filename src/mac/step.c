#include "mac/step.h"

#include "mac/coupling/coupling.h"
#include "mac/stage/advect.h"
#include "mac/stage/check.h"
#include "mac/stage/diffuse.h"
#include "mac/stage/emit.h"
#include "mac/stage/extend.h"
#include "mac/stage/fan.h"
#include "mac/stage/force.h"
#include "mac/stage/move.h"
#include "mac/stage/transport.h"
#include "mac/stage/walls.h"

mac_step mac_begin(const model *m, state *s, double dt)
{
    s->next_rate = 0;
    mac_span whole = {.dt = dt, .middle = s->now.time + dt / 2, .end = s->now.end};
    return (mac_step){.m = m, .s = s, .dt = dt, .span = whole, .carrier = s->velocity, .scalars = s->scalars};
}

void mac_finish_velocity(const model *m, const state *s, field velocity[3])
{
    stage_extend_velocity(m, s, velocity);
    stage_walls_velocity(m, s, velocity);
}

void mac_finish_scalars(const model *m, state *s, field *scalars, const field velocity[3])
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

mac_span mac_first_half(const mac_step *step)
{
    double half = step->dt / 2, begin = step->s->now.time;
    return (mac_span){.dt = half, .middle = begin + half / 2, .end = begin + half};
}

mac_span mac_second_half(const mac_step *step)
{
    double half = step->dt / 2, end = step->s->now.end;
    return (mac_span){.dt = half, .middle = end - half / 2, .end = end};
}

static fr_result scalars_advect(void *self)
{
    const mac_step *step = self;
    stage_advect_scalars(step->m, step->s, step->carrier, step->dt);
    return FR_OK;
}

static fr_result scalars_move_obstacles(void *self)
{
    const mac_step *step = self;
    state *s = step->s;
    stage_transport_begin(step->m, s);
    return stage_move_bodies(step->m, s);
}

static fr_result scalars_transport(void *self)
{
    const mac_step *step = self;
    return stage_transport_scalars(step->m, step->s, step->carrier, step->dt);
}

static fr_result scalars_emit(void *self)
{
    const mac_step *step = self;
    stage_dissipate(step->m, step->s, step->dt);
    return stage_emit_scalars(step->m, step->s);
}

static fr_result scalars_check(void *self)
{
    const mac_step *step = self;
    return stage_check_scalars(step->m, step->s, "emit");
}

static fr_result scalars_diffuse(void *self)
{
    mac_step *step = self;
    state *s = step->s;
    FR_TRY(stage_diffuse_scalars(step->m, s, step->dt, -1));
    mac_finish_scalars(step->m, s, s->next_scalars, step->carrier);
    step->scalars = s->next_scalars;
    return FR_OK;
}

const stage mac_scalars[] = {{.name = "advect scalars", .run = scalars_advect},
                             {.name = "move", .run = scalars_move_obstacles},
                             {.name = "transport scalars", .run = scalars_transport},
                             {.name = "emit", .run = scalars_emit},
                             {.name = "check", .run = scalars_check},
                             {.name = "diffuse scalars", .run = scalars_diffuse},
                             {0}};

static fr_result forces_given(void *self)
{
    const mac_step *step = self;
    return stage_force_given(step->m, step->s, step->span.dt, step->span.middle);
}

static fr_result forces_hold(void *self)
{
    const mac_step *step = self;
    const model *m = step->m;
    state *s = step->s;
    FR_TRY(stage_emit_velocity(m, s));
    FR_TRY(stage_walls_update(m, s, step->span.end));
    stage_extend_slivers(m, s, s->next_velocity);
    if (s->surface && !m->viscous) /* nothing reads the velocity of the air before the pressure, nor ghosts */
        stage_walls_normal(m, s, s->next_velocity);
    else
        mac_finish_velocity(m, s, s->next_velocity);
    return FR_OK;
}

static fr_result forces_check(void *self)
{
    const mac_step *step = self;
    return stage_check_velocity(step->m, step->s, "force");
}

const stage mac_forces[] = {{.name = "force", .run = forces_given},
                            {.name = "force", .run = forces_hold},
                            {.name = "check", .run = forces_check},
                            {0}};

fr_result mac_fans(void *self)
{
    const mac_step *step = self;
    return stage_fans(step->m, step->s, step->span.dt, step->span.middle);
}

fr_result mac_weigh_bodies(void *self)
{
    const mac_step *step = self;
    if (step->s->coupling)
        coupling_weigh(step->s->coupling, step->s);
    return FR_OK;
}

fr_result mac_make_rigid(void *self)
{
    const mac_step *step = self;
    state *s = step->s;
    if (s->coupling && coupling_make_rigid(s->coupling, s))
        stage_walls_velocity(step->m, s, s->next_velocity);
    return FR_OK;
}

fr_result mac_advance_bodies(void *self)
{
    const mac_step *step = self;
    return step->s->coupling ? coupling_advance(step->s) : FR_OK;
}

fr_result mac_check_flow(void *self)
{
    const mac_step *step = self;
    return stage_check_velocity(step->m, step->s, "pressure");
}
