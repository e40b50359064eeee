/* A step with two projections (Carlson 5.7.2): force, viscosity, project, advect, project. Semi-Lagrangian steps do
   better with a flow free of divergence; it costs another solve. */
#include "liquid/surface_cells.h"
#include "mac/stage/advect.h"
#include "mac/stage/emit.h"
#include "mac/stage/extend.h"

static bool again_is_asked(const liquid_step *step)
{
    return step->run->model.settings.loop == FR_LIQUID_TWICE;
}

/* The flow that the first projection made, along itself; then held by sources, sides and obstacles. */
static fr_result again_advect(void *self)
{
    const liquid_step *step = self;
    const model *m = step->flow.m;
    state *s = step->flow.s;
    if (!again_is_asked(step))
        return FR_OK;
    for (int a = 0; a < m->domain.dims; a++)
        field_swap(&s->scratch_velocity[a], &s->next_velocity[a]);
    stage_advect_velocity(m, s, s->scratch_velocity, s->scratch_velocity, s->next_velocity, step->flow.dt);
    FR_TRY(stage_emit_velocity(m, s));
    stage_extend_slivers(m, s, s->next_velocity);
    mac_finish_velocity(m, s, s->next_velocity);
    return FR_OK;
}

/* What it takes is added to the pressure of the first. */
static fr_result again_project(void *self)
{
    const liquid_step *step = self;
    if (!again_is_asked(step))
        return FR_OK;
    FR_TRY(surface_cells_project(step->run, step->flow.dt, PRESSURE_CHANGE));
    FR_TRY(mac_make_rigid(self));
    FR_TRY(mac_check_flow(self));
    surface_cells_finish_velocity(step->run, step->flow.s->next_velocity);
    return FR_OK;
}

const stage liquid_again[] = {
    {.name = "advect velocity", .run = again_advect}, {.name = "pressure", .run = again_project}, {0}};
