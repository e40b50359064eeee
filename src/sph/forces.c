/* What acts on a particle liquid besides pressure,

       v* = v + Δt (g + f + forces of stress, surface tension and confinement),   (I − Δt L) v** = v*,

   L friction (sph/stage/drag.h). Friction comes last: where it is strong, it dominates. */

#include "base/threads.h"
#include "sph/floating/floating.h"
#include "sph/heat/heat.h"
#include "sph/parts.h"
#include "sph/stage/force.h"
#include "sph/stage/loads.h"
#include "sph/stage/stress.h"
#include "sph/stage/tension.h"
#include "sph/stage/viscosity.h"
#include "sph/stage/vorticity.h"

static void forces_copy_velocity(void *context, int begin, int end)
{
    sph_state *s = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++)
        for (int a = 0; a < 4; a++)
            s->next.velocity[n][a] = s->fluid.velocity[n][a];
}

static fr_result forces_begin(void *self)
{
    const sph_step *step = self;
    stage_sph_loads_clear(step->m, step->s);
    threads_for(sph_blocks(step->s->fluid.count), forces_copy_velocity, step->s);
    return step->s->floating ? sph_floating_kick(step->m, step->s) : FR_OK;
}

static fr_result forces_given(void *self)
{
    const sph_step *step = self;
    if (step->s->heat)
        stage_sph_heat_lift(step->m, step->s, step->dt);
    return stage_sph_force(step->m, step->s, step->dt, step->s->now.time + step->dt / 2);
}

static fr_result forces_inner(void *self)
{
    const sph_step *step = self;
    stage_sph_stress(step->m, step->s, step->dt);
    stage_sph_tension(step->m, step->s, step->dt);
    stage_sph_vorticity(step->m, step->s, step->dt);
    return FR_OK;
}

static fr_result forces_viscosity(void *self)
{
    const sph_step *step = self;
    FR_TRY(stage_sph_viscosity(step->m, step->s, step->dt));
    if (step->s->floating)
        sph_floating_take(step->m, step->s, step->dt);
    return FR_OK;
}

const stage sph_smooth_forces[] = {
    {.name = "force", .run = forces_begin},
    {.name = "force", .run = forces_given},
    {.name = "force", .run = forces_inner},
    {0}};

const stage sph_forces[] = {
    {.parts = sph_smooth_forces},
    {.name = "viscosity", .run = forces_viscosity},
    {0}};
