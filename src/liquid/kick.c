/* What acts on the flow in the middle of a step, where the surface is `middle`. */
#include "liquid/surface_cells.h"
#include "mac/coupling/coupling.h"
#include "mac/stage/emit.h"
#include "mac/stage/move.h"
#include "mac/stage/walls.h"
#include "method/evaluate.h"

/* From here on the flow is that of the surface in the middle of the step. */
static fr_result kick_move_obstacles(void *self)
{
    liquid_step *step = self;
    state *s = step->flow.s;
    s->surface = liquid_seen(step->run, &step->run->liquid.middle);
    FR_TRY(stage_move_bodies(step->flow.m, s));
    if (step->run->tracker->sweep)
        step->run->tracker->sweep(step);
    return FR_OK;
}

typedef struct kick_gravity_job {
    field *f;
    float change; /* m/s */
} kick_gravity_job;

static void kick_gravity_rows(void *context, int begin, int end)
{
    const kick_gravity_job *job = context;
    for (int r = begin; r < end; r++) {
        float *restrict row = field_row(job->f, r % job->f->size[1], r / job->f->size[1]);
        for (int i = 0; i < job->f->size[0]; i++)
            row[i] += job->change;
    }
}

static fr_result kick_gravity(void *self)
{
    const liquid_step *step = self;
    for (int a = 0; a < step->flow.m->domain.dims; a++) {
        double g = step->run->model.gravity[a];
        kick_gravity_job job = {&step->flow.s->next_velocity[a], (float)(g * step->flow.dt)};
        if (g != 0)
            field_for_rows(job.f, kick_gravity_rows, &job);
    }
    return FR_OK;
}

static fr_result kick_wet(void *self)
{
    const liquid_step *step = self;
    state *s = step->flow.s;
    liquid_mark_wet(step->flow.m, s, s->coupling ? coupling_surface(s->coupling, s->surface) : s->surface);
    surface_cells_place_pressure(step->run);
    return FR_OK;
}

static fr_result kick_pressure(void *self)
{
    const liquid_step *step = self;
    stage_pressure_prepare(step->flow.m, step->flow.s);
    return surface_cells_project(step->run, step->flow.dt, PRESSURE_WHOLE);
}

static fr_result kick_extend(void *self)
{
    const liquid_step *step = self;
    surface_cells_finish_velocity(step->run, step->flow.s->next_velocity);
    return FR_OK;
}

static fr_result kick_prescribe(void *self)
{
    const liquid_step *step = self;
    const model *m = step->flow.m;
    state *s = step->flow.s;
    FR_TRY(stage_walls_update(m, s, s->now.end));
    FR_TRY(evaluate_velocity(m->prescribed, &m->domain, s->now.end, s->next_velocity));
    liquid_finish_velocity(m, s, s->next_velocity);
    stage_pressure_measure(m, s);
    return FR_OK;
}

const stage liquid_kick[] = {{.name = "move", .run = kick_move_obstacles},
                             {.name = "extend", .run = kick_wet},
                             {.name = "force", .run = kick_gravity},
                             {.name = "force", .run = liquid_heat_kick},
                             {.name = "force", .run = mac_fans},
                             {.name = "bodies", .run = mac_weigh_bodies},
                             {.parts = mac_forces},
                             {.name = "pressure", .run = kick_pressure},
                             {.name = "force", .run = liquid_nozzles},
                             {.name = "viscosity", .run = liquid_viscosity},
                             {.name = "pressure", .run = liquid_viscous_pressure},
                             {.name = "bodies", .run = mac_make_rigid},
                             {.name = "check", .run = mac_check_flow},
                             {.name = "extend", .run = kick_extend},
                             {.parts = liquid_again},
                             {.name = "bodies", .run = mac_advance_bodies},
                             {0}};

const stage liquid_given[] = {{.name = "move", .run = kick_move_obstacles},
                              {.name = "extend", .run = kick_wet},
                              {.name = "prescribe", .run = kick_prescribe},
                              {.name = "bodies", .run = mac_advance_bodies},
                              {0}};
