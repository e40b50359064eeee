#include "run/simulate.h"
#include "kit/interrupt.h"
#include "kit/machine.h"
#include "kit/pictures.h"
#include "run/probes.h"
#include "run/resume.h"
#include "kit/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A checkpoint is due after this many times its own cost, including syncing: at most 1.7 % of the run's time. */
enum { CHECKPOINT_REST = 60 };
static const double CHECKPOINT_GUESS = 0.05;   /* s, assumed cost until one has been written */

/* A feature that this build lacks gives one warning instead of ending the run. */
static fr_result simulate_allow_missing(fr_result result, bool *missing)
{
    if (result != FR_ERROR_UNSUPPORTED)
        return result;
    say_warning("%s", fr_error_message());
    *missing = true;
    return FR_OK;
}

/* Writes the world's blocks and, last, the run's record. */
static fr_result simulate_write_blocks(simulation *sim, const text *record)
{
    const fr_block *blocks;
    int count;
    FR_TRY(fr_world_snapshot(sim->world, &blocks, &count));
    fr_block *all = malloc(((size_t)count + 1) * sizeof *all);
    if (!all)
        return fr_fail(FR_ERROR_MEMORY, "no memory for the names of %d blocks", count);
    memcpy(all, blocks, (size_t)count * sizeof *all);
    all[count] = (fr_block){run_record_block, record->data, record->length + 1};
    run_path path = run_folder_path(sim->folder, "checkpoint");
    fr_result result = fr_checkpoint_write(path.text, all, count + 1, sim->checkpoint_order + 1);
    free(all);
    return result;
}

/* Data first: all files that the checkpoint depends on are synced to disk before it is written. */
static fr_result simulate_checkpoint(simulation *sim)
{
    double begin = machine_seconds();
    FR_TRY(run_resume_note_tables(sim->folder));
    FR_TRY(fr_list_sync(sim->folder->list));
    FR_TRY(fr_list_pin(sim->folder->list, &sim->record->list));
    sim->record->frames_done = fr_world_frame_index(sim->world);
    sim->record->wall_seconds = sim->earlier_seconds + progress_elapsed(&sim->progress);
    text record = {0};
    run_record_print(sim->record, &record);
    fr_list_set_eager(sim->folder->list, true);   /* the checkpoint's line must be on disk before the checkpoint */
    fr_result result = simulate_write_blocks(sim, &record);
    if (result == FR_OK)
        result = run_record_write(sim->folder, sim->record);
    fr_list_set_eager(sim->folder->list, false);
    text_free(&record);
    FR_TRY(result);
    sim->checkpoint_order++;
    sim->checkpoint_at = machine_seconds();
    sim->checkpoint_cost = sim->checkpoint_at - begin;
    return FR_OK;
}

static bool simulate_checkpoint_due(const simulation *sim)
{
    return machine_seconds() - sim->checkpoint_at > CHECKPOINT_REST * sim->checkpoint_cost;
}

/* Writes the frame with NaN for the ledger's wall time and memory, which differ between runs, so that the file's bits
   depend only on the scene. */
static fr_result simulate_write_stripped(const char *path, const fr_frame *frame)
{
    const fr_ledger *row = &frame->ledger;
    double *values = malloc(((size_t)row->count + 1) * sizeof *values);
    if (!values)
        return fr_fail(FR_ERROR_MEMORY, "no memory for a row of the ledger");
    for (int i = 0; i < row->count; i++) {
        bool of_machine = !strcmp(row->names[i], "wall_s") || !strcmp(row->names[i], "rss_mb");
        values[i] = of_machine ? NAN : row->values[i];
    }
    fr_frame stripped = *frame;
    stripped.ledger.values = values;
    fr_result result = fr_cache_write(path, &stripped);
    free(values);
    return result;
}

static fr_result simulate_write_cache(simulation *sim, const fr_frame *frame)
{
    if (!sim->def->output.cache)
        return FR_OK;
    FR_TRY(fr_make_folder(run_folder_path(sim->folder, "cache").text));
    return simulate_write_stripped(run_folder_path(sim->folder, "cache/%06d.h5", frame->index).text, frame);
}

/* Draws pictures during the run only without a cache. With one they are made afterwards, all with one colour range. */
static fr_result simulate_draw(simulation *sim, const fr_frame *frame)
{
    bool wanted = sim->def->output.images || sim->def->output.video;
    if (!wanted || sim->no_pictures || sim->def->output.cache)
        return FR_OK;
    if (!sim->models && sim->def->body_count > 0)
        FR_TRY(fr_models_create(sim->def, &sim->models));
    fr_scene_def def = *sim->def;
    def.look.models = sim->models;
    pictures pictures = {.folder = sim->folder, .def = &def};
    return simulate_allow_missing(pictures_of_frame(&pictures, frame), &sim->no_pictures);
}

/* Writes the forces on the obstacles: one row per obstacle and frame; cells for directions that a 2D scene lacks are
   empty. */
static fr_result simulate_write_loads(const simulation *sim, const fr_frame *frame)
{
    static const char *const names[] = {"frame", "time", "obstacle", "fx", "fy", "fz", "tx", "ty", "tz"};
    run_path path = run_folder_path(sim->folder, "obstacles.csv");
    bool flat = frame->dims == 2;
    for (int o = 0; o < frame->obstacle_count; o++) {
        const double *f = frame->obstacles[o].force, *t = frame->obstacles[o].torque;
        double values[] = {frame->index,      frame->time,       o + 1, f[0], f[1], flat ? NAN : f[2],
                           flat ? NAN : t[0], flat ? NAN : t[1], t[2]};
        FR_TRY(fr_ledger_append(path.text, &(fr_ledger){sizeof values / sizeof values[0], names, values}));
    }
    return FR_OK;
}

/* Writes where the bodies are: one row per body and frame, counted from 0. Those that are still to come are where they
   will appear. */
static fr_result simulate_write_bodies(const simulation *sim, const fr_frame *frame)
{
    static const char *const names[] = {"frame", "time", "body", "x",  "y",  "z",  "qw", "qx",
                                        "qy",    "qz",   "vx",   "vy", "vz", "wx", "wy", "wz"};
    run_path path = run_folder_path(sim->folder, "bodies.csv");
    for (int b = 0; b < frame->body_count; b++) {
        const fr_body_state *s = &frame->bodies[b];
        const double *x = s->position, *q = s->rotation, *v = s->velocity, *w = s->spin;
        double values[] = {frame->index, frame->time, b,    x[0], x[1], x[2], q[0], q[1],
                           q[2],         q[3],        v[0], v[1], v[2], w[0], w[1], w[2]};
        FR_TRY(fr_ledger_append(path.text, &(fr_ledger){sizeof values / sizeof values[0], names, values}));
    }
    return FR_OK;
}

static fr_result simulate_write_mesh(const simulation *sim, const fr_frame *frame)
{
    fr_surface_options options = fr_default_surface();
    options.tetrahedra = sim->def->output.tetrahedra;
    return run_folder_write_mesh(sim->folder, frame, sim->def->output.mesh, &options);
}

static fr_result simulate_write_frame(simulation *sim)
{
    const fr_frame *frame;
    FR_TRY(fr_world_look(sim->world, &frame));
    int every = sim->def->output.every > 0 ? sim->def->output.every : 1;
    if (frame->index % every == 0) {
        FR_TRY(simulate_write_cache(sim, frame));
        if (sim->def->output.npy)
            FR_TRY(run_folder_write_npy(sim->folder, frame));
        if (sim->def->output.vtk)
            FR_TRY(run_folder_write_vtk(sim->folder, frame));
        if (sim->def->output.mesh)
            FR_TRY(simulate_write_mesh(sim, frame));
        FR_TRY(simulate_draw(sim, frame));
    }
    FR_TRY(fr_ledger_append(run_folder_path(sim->folder, "ledger.csv").text, &frame->ledger));
    FR_TRY(simulate_write_loads(sim, frame));
    FR_TRY(simulate_write_bodies(sim, frame));
    progress_frame(&sim->progress, frame);
    return FR_OK;
}

static fr_result simulate_probe(const simulation *sim, double before, bool frame_done)
{
    if (sim->def->probe_count == 0)
        return FR_OK;
    run_path path = run_folder_path(sim->folder, "probes.csv");
    return probes_sample(sim->world, sim->def, path.text, before, frame_done);
}

static fr_result simulate_step(simulation *sim)
{
    double before = fr_world_time(sim->world);
    fr_step_report report;
    FR_TRY(fr_world_step(sim->world, &report));
    if (report.retries)
        say_log("t %.6g s: the step was halved %d times before it held", report.time, report.retries);
    progress_step(&sim->progress, fr_world_frame_index(sim->world) + !report.frame_done, &report);
    FR_TRY(simulate_probe(sim, before, report.frame_done));
    if (report.frame_done)
        FR_TRY(simulate_write_frame(sim));
    if (simulate_checkpoint_due(sim))
        FR_TRY(simulate_checkpoint(sim));
    return FR_OK;
}

fr_result simulate(simulation *sim)
{
    progress_begin(&sim->progress, fr_world_time(sim->world));
    sim->earlier_seconds = sim->record->wall_seconds;
    sim->checkpoint_at = machine_seconds();
    sim->checkpoint_cost = CHECKPOINT_GUESS;
    if (!sim->resumed)
        FR_TRY(simulate_checkpoint(sim)); /* before frame 0, so that frames can always be resumed from */
    if (!sim->record->begun) {
        FR_TRY(simulate_probe(sim, -1, true));
        FR_TRY(simulate_write_frame(sim));
        sim->record->begun = true;
    }
    while (fr_world_frame_index(sim->world) < sim->target && !interrupt_asked())
        FR_TRY(simulate_step(sim));
    bool stopped = fr_world_frame_index(sim->world) < sim->target;
    FR_TRY(simulate_checkpoint(sim));
    return stopped ? FR_ERROR_STOPPED : FR_OK;
}
