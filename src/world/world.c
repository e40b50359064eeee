/* The time loop around a method: frames and adaptive steps. */
#include "world/world.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/memory.h"
#include "geom/mesh_store.h"
#include "method/sizes.h"
#include "world/copy.h"

enum { MOST_RETRIES = 10 };

/* A run with nothing but its definition. */
static method_run *world_new_run(const fr_scene_def *def)
{
    method_run *run = memory_alloc(method_of(def)->run_bytes);
    if (run)
        run->def = def;
    return run;
}

static void world_free_run(const fr_scene_def *def, method_run *run)
{
    if (!run)
        return;
    method_of(def)->destroy(run);
    method_views_destroy(run);
    memory_free(run);
}

fr_result fr_scene_estimate(const fr_scene_def *def, fr_estimate *estimate)
{
    FR_TRY(fr_scene_check(def));
    method_run *run = world_new_run(def);
    if (!run)
        return FR_ERROR_MEMORY;
    fr_result result = method_of(def)->estimate(run, estimate);
    world_free_run(def, run);
    return result;
}

static fr_result world_check_memory(fr_world *world)
{
    fr_estimate estimate;
    FR_TRY(world->method->estimate(world->run, &estimate));
    double available = fr_memory_available();
    if (available <= 0 || estimate.memory_bytes <= available)
        return FR_OK;
    const fr_method_info *info = &world->method->info;
    double cells = (double)estimate.cells[0] * estimate.cells[1] * estimate.cells[2];
    if (info->of_particles)
        return fr_fail_key(info->resolution_key, "%.0f particles need about %.1f GB of memory and %.1f GB are free; %s",
                           estimate.particles, estimate.memory_bytes / 1e9, available / 1e9, info->coarser);
    if (estimate.particles > cells)
        return fr_fail_key(info->particles_key,
                           "up to %.3g particles at once need about %.1f GB of memory and %.1f GB are free; use a "
                           "smaller count, per_cell or rate, or a shorter lifetime",
                           estimate.particles, estimate.memory_bytes / 1e9, available / 1e9);
    return fr_fail_key(info->resolution_key, "%d x %d x %d cells need about %.1f GB of memory and %.1f GB are free; %s",
                       estimate.cells[0], estimate.cells[1], estimate.cells[2], estimate.memory_bytes / 1e9,
                       available / 1e9, info->coarser);
}

/* Creates the method's run and the lists for its snapshots. */
static fr_result world_make(fr_world *world)
{
    if (!(world->run = world_new_run(&world->def)))
        return FR_ERROR_MEMORY;
    FR_TRY(world_check_memory(world));
    FR_TRY(world->method->create(world->run));
    world->run->block_room++; /* the world's own header */
    world->blocks = MEMORY_NEW(fr_block, world->run->block_room);
    world->wanted = MEMORY_NEW(fr_block, world->run->block_room);
    if (!world->blocks || !world->wanted)
        return FR_ERROR_MEMORY;
    world->now = world->run->now;
    world->now->traffic = 0; /* creating the state is not a stage of a step */
    world->run->timing.traffic = &world->now->traffic;
    world->last.max_divergence = world->now->report.max_divergence;
    return FR_OK;
}

fr_result fr_world_create(const fr_scene_def *def, fr_world **out)
{
    *out = NULL;
    FR_TRY(fr_processor_check());
    FR_TRY(fr_scene_check(def));
    fr_world *world = MEMORY_NEW(fr_world, 1);
    if (!world)
        return FR_ERROR_MEMORY;
    world->method = method_of(def);
    fr_meshes_keep();
    fr_result result = scene_copy(def, &world->arena, &world->def);
    if (result == FR_OK)
        result = world_make(world);
    fr_meshes_release();
    mesh_store_trim();
    if (result == FR_OK)
        *out = world;
    else
        fr_world_destroy(world);
    return result;
}

void fr_world_destroy(fr_world *world)
{
    if (!world)
        return;
    world_free_run(&world->def, world->run);
    memory_free(world->blocks);
    memory_free(world->wanted);
    arena_free(&world->arena);
    memory_free(world);
}

/* Chooses equal steps up to the next frame; with a fixed step, full steps and a shorter last one. *reaches: this step
   ends at the frame. */
static fr_result world_choose_step(fr_world *world, double left, double *dt, bool *reaches)
{
    const fr_time_def *time = &world->def.time;
    double allowed;
    FR_TRY(world->method->limit_step(world->run, time->dt_max > 0 ? fmin(time->dt_max, left) : left, &allowed));
    if (time->dt > 0)
        allowed = fmin(time->dt, left);
    double steps = ceil(left / allowed - 1e-6);
    *reaches = !(steps > 1);
    *dt = *reaches ? left : time->dt > 0 ? allowed : left / steps;
    return FR_OK;
}

double world_max_speed(const fr_world *world)
{
    return world->method->max_speed ? world->method->max_speed(world->run) : NAN;
}

static double world_least_step(const fr_world *world)
{
    return world->def.time.dt_min > 0 ? world->def.time.dt_min : 1e-6 / world->def.time.fps;
}

static fr_result world_fail_step(const fr_world *world, double dt, int retries)
{
    return fr_fail(FR_ERROR_NUMERIC, "frame %d, t = %g s: %s. Halving the step %d times, down to %.3g s, did not help",
                   world->now->frame + 1, world->now->time, fr_error_message(), retries, dt);
}

/* Tries a step and halves it after each numerical failure. */
static fr_result world_try_step(fr_world *world, double *dt, bool *reaches)
{
    progress *now = world->now;
    double target = (now->frame + 1) / world->def.time.fps;
    for (int retries = 0;; retries++) {
        now->end = *reaches ? target : now->time + *dt;
        now->report = (fr_step_report){.time = now->end, .dt = *dt};
        fr_result result = world->method->step(world->run, *dt);
        now->report.retries = retries;
        if (result == FR_OK)
            return FR_OK;
        bool last = result != FR_ERROR_NUMERIC || retries == MOST_RETRIES || *dt / 2 < world_least_step(world);
        if (last && result == FR_ERROR_NUMERIC)
            result = world_fail_step(world, *dt, retries);
        else if (!last)
            fr_log(FR_LOG_INFO, "t = %g s: %s; trying again with half the step, %.3g s", now->time, fr_error_message(),
                   *dt / 2);
        fr_result undone = world->method->undo ? world->method->undo(world->run) : FR_OK;
        if (last || undone != FR_OK)
            return last ? result : undone;
        *dt /= 2;
        *reaches = false;
    }
}

static int64_t world_most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void world_count(fr_world *world, const fr_step_report *report, double wall)
{
    world_tally *tally = &world->tally;
    tally->dt_min = tally->steps == 0 ? report->dt : fmin(tally->dt_min, report->dt);
    tally->dt_max = fmax(tally->dt_max, report->dt);
    tally->steps++;
    tally->wall += wall;
    tally->courant = fmax(tally->courant, world->now->courant);
    tally->max_divergence = fmax(tally->max_divergence, report->max_divergence);
    tally->residual = fmax(tally->residual, report->pressure_residual);
    tally->iterations = world_most(report->pressure_iterations, tally->iterations);
    tally->viscosity_residual = fmax(tally->viscosity_residual, report->viscosity_residual);
    tally->viscosity_iterations = world_most(report->viscosity_iterations, tally->viscosity_iterations);
    tally->viscosity_smeared = world_most(report->viscosity_smeared, tally->viscosity_smeared);
    tally->clamps += report->clamps;
    tally->retries += report->retries;
}

fr_result fr_world_step(fr_world *world, fr_step_report *report)
{
    progress *now = world->now;
    double start = clock_now();
    bool reaches;
    double dt;
    FR_TRY(world_choose_step(world, (now->frame + 1) / world->def.time.fps - now->time, &dt, &reaches));
    if (!(dt >= world_least_step(world)) && !reaches)
        return fr_fail(
            FR_ERROR_NUMERIC,
            "frame %d, t = %g s: the flow is so fast (%.3g m/s) that the step would be %.3g s, less than dt_min",
            now->frame + 1, now->time, world_max_speed(world), dt);
    FR_TRY(world_try_step(world, &dt, &reaches));
    world->method->accept(world->run);
    now->before = now->time;
    now->time = now->end;
    now->steps++;
    now->frame += reaches;
    now->report.frame_done = reaches;
    now->report.max_speed = world_max_speed(world);
    world_count(world, &now->report, clock_now() - start);
    if (reaches) {
        world->last = world->tally;
        world->tally = (world_tally){0};
    }
    if (report)
        *report = now->report;
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
    return world->now->frame;
}

int fr_world_frame_count(const fr_world *world)
{
    return sizes_frames(&world->def.time);
}

double fr_world_time(const fr_world *world)
{
    return world->now->time;
}

fr_result fr_world_probe(fr_world *world, const char *field, const double at[3], double *value)
{
    char what[96];
    snprintf(what, sizeof what, "(%g, %g, %g)", at[0], at[1], at[2]);
    *value = NAN;
    FR_TRY(world_check_field(&world->def, "", field));
    FR_TRY(world_check_place(&world->def, "", what, at));
    return world->method->probe(world->run, field, at, value);
}

int fr_world_profile(const fr_world *world, const fr_stage_time **stages)
{
    *stages = world->run->timing.stages;
    return world->run->timing.count;
}
