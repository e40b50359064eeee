#include "smoke/parts.h"

#include "mac/coupling/coupling.h"
#include "mac/stage/diffuse.h"
#include "smoke/vorticity.h"

static fr_result forces_confine_vorticity(void *self)
{
    const smoke_step *step = self;
    smoke_vorticity(step->flow.m, step->flow.s, step->settings->vorticity, step->flow.span.dt);
    return FR_OK;
}

const stage smoke_forces[] = {{.name = "force", .run = forces_confine_vorticity}, {.parts = mac_forces}, {0}};

fr_result smoke_viscosity(const mac_step *step, double push, double dt)
{
    const model *m = step->m;
    state *s = step->s;
    if (!m->viscous)
        return FR_OK;
    field_copy(&s->next_pressure, &s->pressure);
    stage_pressure_push(m, &s->next_pressure, s->next_velocity, push);
    if (s->coupling)
        coupling_press(m, s, &s->next_pressure, push);
    mac_finish_velocity(m, s, s->next_velocity);
    return stage_viscosity(m, s, dt);
}

pressure_kind smoke_sought(const model *m)
{
    return m->viscous ? PRESSURE_CHANGE : PRESSURE_WHOLE;
}
