/* SPH in a world: how its steps are chosen, tried and kept. */
#include "world/sph.h"

#include <math.h>

#include "method/sph.h"
#include "stage/sph_move.h"
#include "stage/sph_pour.h"
#include "stage/sph_repel.h"
#include "stage/sph_viscosity.h"
#include "stage/sph_walls.h"

static fr_result sph_create(fr_world *world)
{
    FR_TRY(sph_model_create(world->def, &world->filling, &world->sph_model));
    FR_TRY(sph_state_create(world->sph_model, &world->sph_state));
    world->now = &world->sph_state->now;
    FR_TRY(sph_views_create(world));
    FR_TRY(method_sph_start(world->sph_model, &world->filling, world->sph_state));
    sph_filling_destroy(&world->filling);
    return FR_OK;
}

static void sph_destroy(fr_world *world)
{
    sph_views_destroy(world);
    sph_filling_destroy(&world->filling);
    sph_state_destroy(world->sph_state);
    sph_model_destroy(world->sph_model);
}

static fr_result sph_limit_step(fr_world *world, double most, double *dt)
{
    double wall_speed, pour_speed;
    FR_TRY(stage_sph_walls_speed(world->sph_model, world->now->time, world->now->time + most, &wall_speed));
    FR_TRY(stage_sph_pour_speed(world->sph_model, world->sph_state, world->now->time, &pour_speed));
    wall_speed = fmax(2 * wall_speed, pour_speed);   /* what a wall meets cannot push it back: it goes half as far */
    *dt = fmin(stage_sph_limit(world->sph_model, world->sph_state, wall_speed), most);
    if (world->def->sph.boundary == FR_SPH_LENNARD_JONES)
        *dt = fmin(*dt, stage_sph_repel_limit(world->sph_model, world->sph_state, wall_speed));
    return FR_OK;
}

static fr_result sph_step(fr_world *world, double dt)
{
    world->attributes_known = false;
    world->now->courant = stage_sph_max_speed(world->sph_state) * dt / world->sph_model->spacing;
    FR_TRY(stage_sph_viscosity_reserve(world->sph_model, world->sph_state, dt));
    return method_sph_step(world->sph_model, world->sph_state, dt, &world->timing);
}

/* A step writes to `next` only, and what it knows of the present stays true. */
static fr_result sph_undo(fr_world *world)
{
    (void)world;
    return FR_OK;
}

static void sph_accept(fr_world *world)
{
    method_sph_accept(world->sph_model, world->sph_state);
}

static double sph_max_speed(const fr_world *world)
{
    return stage_sph_max_speed(world->sph_state);
}

const world_method world_sph = {
    .create = sph_create,
    .destroy = sph_destroy,
    .limit_step = sph_limit_step,
    .step = sph_step,
    .undo = sph_undo,
    .accept = sph_accept,
    .max_speed = sph_max_speed,
    .view = sph_view,
    .probe = sph_probe,
    .fill_head = sph_fill_head,
    .read_head = sph_read_head,
    .list_blocks = sph_list_blocks,
    .restored = sph_restored,
    .estimate = sph_estimate,
};
