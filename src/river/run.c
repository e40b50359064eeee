/* A river in a world: how its steps are chosen, tried and kept. */
#include "river/river.h"

#include <math.h>
#include <stdio.h>

#include "river/scheme.h"
#include "river/classic/classic.h"
#include "river/stage/advect.h"
#include "river/stage/ledger.h"
#include "river/stage/sides.h"

/* Probes that lie outside would only ever say nothing. */
static fr_result river_check_probes(const fr_world *world)
{
    for (int i = 0; i < world->def->probe_count; i++) {
        const fr_probe_def *probe = &world->def->probes[i];
        for (int end = 0; end < (probe->n > 1 ? 2 : 1); end++) {
            const double *at = end ? probe->to : probe->from;
            double grid[3];
            char key[32];
            snprintf(key, sizeof key, "probes[%d]", i + 1);
            if (!curve_find(&world->river_model->curve, at, grid))
                return fr_fail_key(key, "%s: (%g, %g, %g) lies outside the river; 'freshet check' says which box it lies in", key, at[0], at[1], at[2]);
        }
    }
    return FR_OK;
}

/* Greatest Courant number per second of a flow. */
static double river_rate(const river_model *m, river_state *s, const field velocity[3], const field flux[3])
{
    return m->def->river.scheme == FR_RIVER_CLASSIC ? stage_classic_rate(m, s, velocity) : stage_river_rate(m, s, flux);
}

void river_rate_now(fr_world *world)
{
    river_state *s = world->river_state;
    s->rate = river_rate(world->river_model, s, s->velocity, s->flux);
}

static fr_result river_create(fr_world *world)
{
    FR_TRY(river_model_create(world->def, &world->river_model));
    FR_TRY(river_check_probes(world));
    FR_TRY(river_state_create(world->river_model, &world->river_state));
    world->now = &world->river_state->now;
    FR_TRY(river_views_create(world));
    FR_TRY(method_river_start(world->river_model, world->river_state));
    river_rate_now(world);
    return FR_OK;
}

static void river_destroy(fr_world *world)
{
    river_views_destroy(world);
    if (world->river_model)
        river_state_destroy(world->river_model, world->river_state);
    river_model_destroy(world->river_model);
}

/* The step that the Courant number allows, with the speed that forces will have added at its end: push Δt² + rate Δt = cfl, in cells. */
static fr_result river_limit_step(fr_world *world, double most, double *dt)
{
    double rate = fmax(world->river_state->rate, stage_river_sides_rate(world->river_model, world->river_state));
    double cfl = world->river_model->cfl, push = world->river_state->push;
    *dt = fmin(most, world->river_model->viscous_step);
    if (rate > 0 || push > 0)
        *dt = fmin(*dt, 2 * cfl / (rate + sqrt(rate * rate + 4 * push * cfl)));
    return FR_OK;
}

/* Forces and sides that change in time may leave the flow much faster than the step was made for. */
static fr_result river_check_courant(const fr_world *world, double dt)
{
    const river_model *m = world->river_model;
    river_state *s = world->river_state;
    s->next_rate = river_rate(m, s, s->next_velocity, s->next_flux);
    double courant = dt * s->next_rate;
    if (world->def->time.dt == 0 && courant > 2 * m->cfl)
        return fr_fail(FR_ERROR_NUMERIC, "the flow sped up to a Courant number of %.3g, where time.cfl asks for %.3g", courant, m->cfl);
    return FR_OK;
}

static fr_result river_step(fr_world *world, double dt)
{
    world->now->courant = world->river_state->rate * dt;
    FR_TRY(method_river_step(world->river_model, world->river_state, dt, &world->timing));
    return river_check_courant(world, dt);
}

static fr_result river_undo(fr_world *world)
{
    return stage_river_sides_update(world->river_model, world->river_state, world->now->time);
}

static void river_accept(fr_world *world)
{
    method_river_accept(world->river_model, world->river_state);
    world->river_state->rate = world->river_state->next_rate;
}

static double river_max_speed(const fr_world *world)
{
    return stage_river_max_speed(world->river_model, world->river_state);
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
