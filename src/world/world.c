/* Frames and adaptive sub-steps around a method. */
#include "world/world.h"

#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "method/smoke.h"
#include "model/sizes.h"
#include "stage/cfl.h"
#include "stage/move.h"
#include "stage/tracers.h"
#include "stage/walls.h"

enum { MOST_RETRIES = 10 };

/* Courant number along the fastest axis at which the three passes of `central` still hold (smoke_central.c). */
static const double LARGEST_CENTRAL = 1.2;

static fr_result world_check_memory(const fr_scene_def *def)
{
    fr_estimate estimate;
    FR_TRY(fr_scene_estimate(def, &estimate));
    double available = fr_memory_available();
    if (available > 0 && estimate.memory_bytes > available)
        return fr_fail_key("domain.cells", "%d x %d x %d cells need about %.1f GB of memory and %.1f GB are free; use fewer cells (--res)",
                           estimate.cells[0], estimate.cells[1], estimate.cells[2], estimate.memory_bytes / 1e9, available / 1e9);
    return FR_OK;
}

static fr_result world_fill(fr_world *world)
{
    FR_TRY(model_create(world->def, &world->model));
    FR_TRY(state_create(world->model, &world->state));
    world->timing.traffic = &world->state->traffic;
    FR_TRY(world_views_create(world));
    FR_TRY(method_smoke_start(world->model, world->state));
    world->state->traffic = 0;   /* the start is no stage of a step */
    world->last.max_divergence = world->state->report.max_divergence;
    return FR_OK;
}

fr_result fr_world_create(const fr_scene_def *def, fr_world **out)
{
    *out = NULL;
    FR_TRY(fr_scene_check(def));
    FR_TRY(world_check_memory(def));
    fr_world *world = MEMORY_NEW(fr_world, 1);
    if (!world)
        return FR_ERROR_MEMORY;
    world->def = def;
    fr_result result = world_fill(world);
    if (result != FR_OK)
        fr_world_destroy(world);
    else
        *out = world;
    return result;
}

void fr_world_destroy(fr_world *world)
{
    if (!world)
        return;
    world_views_destroy(world);
    if (world->model)
        state_destroy(world->model, world->state);
    model_destroy(world->model);
    memory_free(world);
}

/* The step that the Courant number allows, with the speed that forces will have added at its end:
   A Δt² + r Δt = cfl, in cells. */
static double world_allowed_step(const fr_world *world, double rate)
{
    const fr_time_def *time = &world->def->time;
    if (time->dt > 0)
        return time->dt;
    double cfl = world->model->cfl;
    double acceleration = stage_cfl_acceleration(world->model, world->state);
    double dt = 2 * cfl / (rate + sqrt(rate * rate + 4 * acceleration * cfl));
    return time->dt_max > 0 ? fmin(dt, time->dt_max) : dt;
}

/* Equal steps to the next frame; with a fixed step, whole ones and a rest. Says whether the frame is reached. */
static fr_result world_choose_step(const fr_world *world, double rate, double left, double *dt, bool *reaches)
{
    double allowed = fmin(world_allowed_step(world, rate), left);
    if (world->def->time.dt == 0)
        FR_TRY(stage_move_limit(world->model, world->state, &allowed));
    double steps = ceil(left / allowed - 1e-6);
    *reaches = !(steps > 1);
    *dt = *reaches ? left : world->def->time.dt > 0 ? allowed : left / steps;
    return FR_OK;
}

static double world_least_step(const fr_world *world)
{
    return world->def->time.dt_min > 0 ? world->def->time.dt_min : 1e-6 / world->def->time.fps;
}

static fr_result world_fail_step(const fr_world *world, double dt, int retries)
{
    return fr_fail(FR_ERROR_NUMERIC, "frame %d, t = %g s: %s. Halving the step %d times, down to %.3g s, did not help", world->state->frame + 1,
                   world->state->time, fr_error_message(), retries, dt);
}

/* What no estimate foresaw (forces by function, sources that hold a speed) may leave the flow much faster than the step
   was made for. */
static fr_result world_check_courant(const fr_world *world, double dt)
{
    double courant = stage_cfl_rate(world->model, world->state, world->state->next_velocity) * dt;
    bool central = world->def->smoke.advection == FR_ADVECTION_CENTRAL;
    if (central && !world->def->has_prescribed && courant > LARGEST_CENTRAL)
        return fr_fail(FR_ERROR_NUMERIC, "the Courant number is %.3g, and advection = \"central\" is stable up to %.3g", courant, LARGEST_CENTRAL);
    if (world->def->time.dt == 0 && !world->def->has_prescribed && courant > 2 * world->model->cfl)
        return fr_fail(FR_ERROR_NUMERIC, "the flow sped up to a Courant number of %.3g, where time.cfl asks for %.3g", courant, world->model->cfl);
    return FR_OK;
}

/* What a step evaluated at its end, put back to the present. */
static fr_result world_undo_step(fr_world *world)
{
    state *s = world->state;
    FR_TRY(stage_move(world->model, s, s->before, s->time));
    return stage_walls_update(world->model, s, s->time);
}

static double world_frame_time(const fr_world *world)
{
    return (world->state->frame + 1) / world->def->time.fps;
}

/* When the step ends: at the frame's very time where it reaches it, which s->time + dt may miss by a rounding. */
static double world_step_end(const fr_world *world, double dt, bool reaches)
{
    return reaches ? world_frame_time(world) : world->state->time + dt;
}

/* Tries a step, halved as long as the numbers fail. */
static fr_result world_try_step(fr_world *world, double *dt, bool *reaches)
{
    state *s = world->state;
    for (int retries = 0;; retries++) {
        s->end = world_step_end(world, *dt, *reaches);
        fr_result result = method_smoke_step(world->model, s, *dt, &world->timing);
        if (result == FR_OK)
            result = world_check_courant(world, *dt);
        s->report.retries = retries;
        if (result == FR_OK)
            return FR_OK;
        bool last = result != FR_ERROR_NUMERIC || retries == MOST_RETRIES || *dt / 2 < world_least_step(world);
        if (last && result == FR_ERROR_NUMERIC)
            result = world_fail_step(world, *dt, retries);
        else if (!last)
            fr_log(FR_LOG_INFO, "t = %g s: %s; trying again with half the step, %.3g s", s->time, fr_error_message(), *dt / 2);
        fr_result undone = world_undo_step(world);
        if (last || undone != FR_OK)
            return last ? result : undone;
        *dt /= 2;
        *reaches = false;
    }
}

static void world_count(fr_world *world, const fr_step_report *report, double wall)
{
    world_tally *tally = &world->tally;
    tally->dt_min = tally->steps == 0 ? report->dt : fmin(tally->dt_min, report->dt);
    tally->dt_max = fmax(tally->dt_max, report->dt);
    tally->steps++;
    tally->wall += wall;
    tally->max_divergence = fmax(tally->max_divergence, report->max_divergence);
    tally->residual = fmax(tally->residual, report->pressure_residual);
    tally->iterations = report->pressure_iterations > tally->iterations ? report->pressure_iterations : tally->iterations;
    tally->clamps += report->clamps;
    tally->retries += report->retries;
}

fr_result fr_world_step(fr_world *world, fr_step_report *report)
{
    state *s = world->state;
    double start = clock_now();
    double rate = stage_cfl_rate(world->model, s, s->velocity);
    bool reaches;
    double dt;
    FR_TRY(world_choose_step(world, rate, world_frame_time(world) - s->time, &dt, &reaches));
    if (!(dt >= world_least_step(world)) && !reaches)
        return fr_fail(FR_ERROR_NUMERIC, "frame %d, t = %g s: the flow is so fast (%.3g m/s) that the step would be %.3g s, less than dt_min",
                       s->frame + 1, s->time, stage_cfl_max_speed(world->model, s), dt);
    FR_TRY(stage_tracers_reserve(world->model, s, world_step_end(world, dt, reaches)));
    FR_TRY(world_try_step(world, &dt, &reaches));
    method_smoke_accept(world->model, s, &world->timing);
    s->steps++;
    s->frame += reaches;
    s->report.frame_done = reaches;
    s->report.max_speed = stage_cfl_max_speed(world->model, s);
    world->tally.courant = fmax(world->tally.courant, rate * dt);
    world_count(world, &s->report, clock_now() - start);
    if (reaches) {
        world->last = world->tally;
        world->tally = (world_tally){0};
    }
    if (report)
        *report = s->report;
    return FR_OK;
}

fr_result fr_world_step_frame(fr_world *world)
{
    fr_step_report report = {0};
    while (!report.frame_done)
        FR_TRY(fr_world_step(world, &report));
    return FR_OK;
}

int fr_world_frame_index(const fr_world *world)
{
    return world->state->frame;
}

int fr_world_frame_count(const fr_world *world)
{
    return sizes_frames(&world->def->time);
}

double fr_world_time(const fr_world *world)
{
    return world->state->time;
}

int fr_world_profile(const fr_world *world, const fr_stage_time **stages)
{
    *stages = world->timing.stages;
    return world->timing.count;
}
