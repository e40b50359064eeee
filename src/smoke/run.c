/* The smoke method in a world: how its steps are chosen, tried and kept. */
#include "smoke/smoke.h"

#include <math.h>

#include "smoke/scheme.h"
#include "mac/stage/cfl.h"
#include "mac/stage/move.h"
#include "mac/stage/tracers.h"
#include "mac/stage/walls.h"

/* Courant number along the fastest axis at which the three passes of `central` still hold (smoke_central.c). */
static const double LARGEST_CENTRAL = 1.2;

static fr_result smoke_create(fr_world *world)
{
    FR_TRY(model_create(world->def, &world->model));
    FR_TRY(state_create(world->model, &world->state));
    world->now = &world->state->now;
    FR_TRY(smoke_views_create(world));
    return method_smoke_start(world->model, world->state);
}

static void smoke_destroy(fr_world *world)
{
    if (world->model)
        state_destroy(world->model, world->state);
    model_destroy(world->model);
}

/* The step that the Courant number allows, with the speed that forces will have added at its end:
   A Δt² + r Δt = cfl, in cells. */
static double smoke_allowed_step(const fr_world *world, double rate)
{
    double cfl = world->model->cfl;
    double acceleration = stage_cfl_acceleration(world->model, world->state);
    return 2 * cfl / (rate + sqrt(rate * rate + 4 * acceleration * cfl));
}

static fr_result smoke_limit_step(fr_world *world, double most, double *dt)
{
    double rate = stage_cfl_rate(world->model, world->state, world->state->velocity);
    *dt = fmin(smoke_allowed_step(world, rate), most);
    return stage_move_limit(world->model, world->state, dt);
}

/* What no estimate foresaw (forces by function, sources that hold a speed) may leave the flow much faster than the step
   was made for. */
static fr_result smoke_check_courant(const fr_world *world, double dt)
{
    double courant = stage_cfl_rate(world->model, world->state, world->state->next_velocity) * dt;
    bool central = world->def->smoke.advection == FR_ADVECTION_CENTRAL;
    if (central && !world->def->has_prescribed && courant > LARGEST_CENTRAL)
        return fr_fail(FR_ERROR_NUMERIC, "the Courant number is %.3g, and advection = \"central\" is stable up to %.3g", courant, LARGEST_CENTRAL);
    if (world->def->time.dt == 0 && !world->def->has_prescribed && courant > 2 * world->model->cfl)
        return fr_fail(FR_ERROR_NUMERIC, "the flow sped up to a Courant number of %.3g, where time.cfl asks for %.3g", courant, world->model->cfl);
    return FR_OK;
}

static fr_result smoke_step(fr_world *world, double dt)
{
    const model *m = world->model;
    state *s = world->state;
    s->now.courant = stage_cfl_rate(m, s, s->velocity) * dt;
    FR_TRY(stage_tracers_reserve(m, s));
    FR_TRY(method_smoke_step(m, s, dt, &world->timing));
    return smoke_check_courant(world, dt);
}

/* What a step evaluated at its end, put back to the present. */
static fr_result smoke_undo(fr_world *world)
{
    state *s = world->state;
    FR_TRY(stage_move(world->model, s, s->now.before, s->now.time));
    return stage_walls_update(world->model, s, s->now.time);
}

static void smoke_accept(fr_world *world)
{
    method_smoke_accept(world->model, world->state, &world->timing);
}

static double smoke_max_speed(const fr_world *world)
{
    return stage_cfl_max_speed(world->model, world->state);
}

const world_method world_smoke = {
    .create = smoke_create,
    .destroy = smoke_destroy,
    .limit_step = smoke_limit_step,
    .step = smoke_step,
    .undo = smoke_undo,
    .accept = smoke_accept,
    .max_speed = smoke_max_speed,
    .view = smoke_view,
    .probe = smoke_probe,
    .list_blocks = smoke_list_blocks,
    .fill_head = smoke_fill_head,
    .read_head = smoke_read_head,
    .restored = smoke_restored,
    .estimate = smoke_estimate,
};
