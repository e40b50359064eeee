/* A river in a world: how its steps are chosen, tried and kept. */
#include "world/river.h"

#include <math.h>

#include "method/river.h"
#include "stage/classic.h"
#include "stage/river_advect.h"
#include "stage/river_ledger.h"
#include "stage/river_sides.h"

static fr_result river_create(fr_world *world)
{
    FR_TRY(river_model_create(world->def, &world->river_model));
    FR_TRY(river_state_create(world->river_model, &world->river_state));
    world->now = &world->river_state->now;
    FR_TRY(river_views_create(world));
    return method_river_start(world->river_model, world->river_state);
}

static void river_destroy(fr_world *world)
{
    river_views_destroy(world);
    if (world->river_model)
        river_state_destroy(world->river_model, world->river_state);
    river_model_destroy(world->river_model);
}

/* Greatest Courant number per second of the present flow. */
static double river_rate(const fr_world *world)
{
    const river_model *m = world->river_model;
    river_state *s = world->river_state;
    return m->def->river.scheme == FR_RIVER_CLASSIC ? stage_classic_rate(m, s) : stage_river_rate(m, s, s->flux);
}

/* A flow that starts from rest under a force: what a step adds is bounded by the next one's size, so the first need not be guessed. */
static fr_result river_limit_step(fr_world *world, double most, double *dt)
{
    double rate = river_rate(world);
    *dt = rate > 0 ? fmin(world->river_model->cfl / rate, most) : most;
    return FR_OK;
}

static fr_result river_step(fr_world *world, double dt)
{
    world->now->courant = river_rate(world) * dt;
    return method_river_step(world->river_model, world->river_state, dt, &world->timing);
}

static fr_result river_undo(fr_world *world)
{
    return stage_river_sides_update(world->river_model, world->river_state, world->now->time);
}

static void river_accept(fr_world *world)
{
    method_river_accept(world->river_model, world->river_state);
}

static double river_max_speed(const fr_world *world)
{
    field velocity[3];
    stage_river_velocity(world->river_model, world->river_state, velocity);
    return stage_river_ledger(world->river_model, world->river_state, velocity).max_speed;
}

const world_method world_river = {
    .create = river_create,
    .destroy = river_destroy,
    .limit_step = river_limit_step,
    .step = river_step,
    .undo = river_undo,
    .accept = river_accept,
    .max_speed = river_max_speed,
    .view = river_view,
    .probe = river_probe,
    .fill_head = river_fill_head,
    .read_head = river_read_head,
    .list_blocks = river_list_blocks,
    .restored = river_restored,
    .estimate = river_estimate,
};
