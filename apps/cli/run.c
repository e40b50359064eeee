/* freshet run: a scene into a folder. Everything that can be refused is refused before anything is written. */
#define _XOPEN_SOURCE 700
#include "interrupt.h"
#include "json.h"
#include "machine.h"
#include "method.h"
#include "pictures.h"
#include "run_report.h"
#include "say.h"
#include "simulate.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct run_options {
    const char *dir;
    int frames;       /* −1: as the scene says */
    int res, threads;
    option_list set;
    bool resume, force, quiet, json;
} run_options;

typedef struct run {
    run_options options;
    const char *scene_path;
    fr_scene *scene;
    const fr_scene_def *def;
    fr_estimate estimate;
    int target;
    run_folder folder;
    run_record record, found;   /* this run's; the one that was there */
    text scene_text;            /* scene.lua as it stands in the folder */
    fr_world *world;
    fr_checkpoint checkpoint;
    bool resumed;
} run;

static int run_parse(run *run, int argc, char **argv)
{
    run_options *o = &run->options;
    o->frames = -1;
    const option_def table[] = {
        {"output", 'o', OPTION_TEXT, &o->dir, "DIR", "folder of the run (the scene's output.dir, else runs/<name>)"},
        {"frames", 0, OPTION_NUMBER, &o->frames, "N", "end after frame N"},
        {"res", 0, OPTION_COUNT, &o->res, "N", "N cells, or particles of sph, along the longest side"},
        {"set", 0, OPTION_LIST, &o->set, "key=value", "override a value of the scene: --set time.duration=2"},
        {"threads", 0, OPTION_NUMBER, &o->threads, "N", "threads that work (all cores); the result is the same"},
        {"resume", 0, OPTION_FLAG, &o->resume, NULL, "go on from the last checkpoint of the folder"},
        {"force", 0, OPTION_FLAG, &o->force, NULL, "replace the run that is in the folder"},
        {"quiet", 0, OPTION_FLAG, &o->quiet, NULL, "say nothing but errors"},
        {"json", 0, OPTION_FLAG, &o->json, NULL, "one JSON object per frame on standard output, one at the end"},
    };
    const options_def def = {.command = "run", .words = "SCENE", .least = 1, .most = 1,
        .summary = "Simulates a scene into a folder: fields, ledger, probes, checkpoints, and pictures or a film when\n"
                   "the scene asks for them. Ctrl-C stops after the running step; --resume goes on, with the same bits.",
        .options = table, .option_count = sizeof table / sizeof table[0]};
    option_list words;
    int status = options_parse(&def, argc, argv, &words);
    if (status != OPTIONS_GO_ON)
        return status;
    if (o->resume && o->force) {
        say_error("--resume goes on with a run and --force replaces it: choose one");
        return CLI_USAGE;
    }
    run->scene_path = words.items[0];
    say_set_mode(o->quiet ? SAY_QUIET : o->json ? SAY_MACHINE : SAY_ALL);
    fr_set_threads(o->threads);
    return OPTIONS_GO_ON;
}

static fr_result run_load(run *run)
{
    fr_scene_options options = {.set = run->options.set.items, .set_count = run->options.set.count, .res = run->options.res};
    say_scene_prints(true);
    fr_result result = fr_scene_load(run->scene_path, &options, &run->scene);
    say_scene_prints(false);
    FR_TRY(result);
    run->def = fr_scene_definition(run->scene);
    FR_TRY(fr_scene_locate(run->scene, fr_scene_estimate(run->def, &run->estimate)));
    run->target = run->options.frames >= 0 ? run->options.frames : run->estimate.frames;
    text dir = {0};
    char name[256];
    run_file_name(run->def->name, name, sizeof name);
    if (run->options.dir || run->def->output.dir)
        text_add(&dir, "%s", run->options.dir ? run->options.dir : run->def->output.dir);
    else
        text_add(&dir, "runs/%s", name);
    result = run_folder_open(&run->folder, dir.data);
    text_free(&dir);
    return result;
}

/* A line break inside an override must not end the comment it is written in. */
static void run_add_comment(text *out, const char *option, const char *value)
{
    text_add(out, "--   %s ", option);
    for (const char *c = value; *c; c++)
        text_add(out, "%c", (unsigned char)*c < 0x20 ? ' ' : *c);
    text_add(out, "\n");
}

/* The scene as it goes into the folder: its text, and the overrides as comments. */
static void run_write_scene_text(run *run)
{
    text *out = &run->scene_text;
    text_add(out, "%s", fr_scene_text(run->scene));
    if (run->options.res == 0 && run->options.set.count == 0)
        return;
    if (out->length && out->data[out->length - 1] != '\n')
        text_add(out, "\n");
    text_add(out, "-- overrides of this run:\n");
    if (run->options.res) {
        char number[16];
        snprintf(number, sizeof number, "%d", run->options.res);
        run_add_comment(out, "--res", number);
    }
    for (int i = 0; i < run->options.set.count; i++)
        run_add_comment(out, "--set", run->options.set.items[i]);
}

static void run_fill_record(run *run)
{
    run_record *record = &run->record;
    text_add(&record->name, "%s", run->def->name);
    text_add(&record->method, "%s", method_name(run->def));
    text_add(&record->scene, "%s", run->scene_path);
    char *whole = realpath(run->scene_path, NULL);
    char *slash = whole ? strrchr(whole, '/') : NULL;
    text_add(&record->base_dir, "%.*s", slash ? (int)(slash - whole) + (slash == whole) : 1, slash ? whole : ".");
    free(whole);
    text_add(&record->status, "running");
    text_add(&record->started, "%s", machine_now().text);
    for (int i = 0; i < run->options.set.count; i++) {
        text copy = {0};
        text_add(&copy, "%s", run->options.set.items[i]);
        record->set[record->set_count++] = copy.data;
    }
    record->res = run->options.res;
    record->threads = fr_threads();
    record->dims = run->estimate.dims;
    memcpy(record->cells, run->estimate.cells, sizeof record->cells);
    record->fps = run->def->time.fps;
    record->frames_asked = run->target;
    record->frames_scene = run->estimate.frames;
}

/* A run killed in its first moment has neither a scene nor a checkpoint yet: nothing there can be of another scene. */
static bool run_just_begun(const run *run)
{
    return access(run_folder_path(&run->folder, "scene.lua").text, F_OK) &&
           access(run_folder_path(&run->folder, "checkpoint").text, F_OK);
}

static bool run_same_scene(const run *run)
{
    if (run_just_begun(run))
        return true;
    text there = {0};
    bool same = text_read_file(run_folder_path(&run->folder, "scene.lua").text, 64 << 20, &there) == FR_OK &&
                there.length == run->scene_text.length && !memcmp(there.data, run->scene_text.data, there.length);
    same = same && run->found.res == run->record.res && run->found.set_count == run->record.set_count;
    for (int i = 0; same && i < run->found.set_count; i++)
        same = !strcmp(run->found.set[i], run->record.set[i]);
    text_free(&there);
    return same;
}

static int run_refuse(const run *run, run_state state)
{
    const char *dir = run->folder.dir;
    const char *kind = state == RUN_FINISHED ? "a finished" : "an unfinished";
    if (!run_same_scene(run))
        say_error("%s holds %s run of another scene or of other overrides (compare its scene.lua); --force replaces it, "
                  "-o DIR writes elsewhere", dir, kind);
    else if (state == RUN_FINISHED)
        say_error("%s holds a finished run; --force replaces it, --resume --frames N goes on with it, -o DIR writes elsewhere", dir);
    else
        say_error("%s holds an unfinished run (frame %d of %d); --resume goes on with it, --force replaces it, -o DIR writes elsewhere",
                  dir, run->found.frames_done, run->found.frames_asked);
    return CLI_USAGE;
}

/* Whether and how to use the folder as it stands. */
static int run_look_at_folder(run *run)
{
    text blocker = {0};
    run_state state = run_folder_state(&run->folder, &run->found, &blocker);
    int status = OPTIONS_GO_ON;
    if (state == RUN_FOREIGN) {
        say_error("%s holds '%s', which no run of this program made; choose another folder with -o", run->folder.dir, blocker.data);
        status = CLI_USAGE;
    } else if (state == RUN_ABSENT && run->options.resume) {
        say_info("nothing to resume in %s: starting from the beginning", run->folder.dir);
    } else if (state != RUN_ABSENT && run->options.resume && !run_same_scene(run)) {
        say_error("%s holds a run of another scene or of other overrides (compare its scene.lua); a resumed run must be of "
                  "the same: use --force to replace it or -o for another folder", run->folder.dir);
        status = CLI_USAGE;
    } else if (state == RUN_FINISHED && run->options.resume && run->found.frames_done >= run->target) {
        say_info("%s is finished: %d frames; --frames N goes on to frame N", run->folder.dir, run->found.frames_done);
        status = CLI_DONE;
    } else if (state != RUN_ABSENT && !run->options.resume && !run->options.force) {
        status = run_refuse(run, state);
    }
    run->resumed = run->options.resume && state != RUN_ABSENT;
    text_free(&blocker);
    return status;
}

/* A disk that would fill up is refused before the run, with the numbers. */
static fr_result run_check_disk(const run *run)
{
    enum { CHECKPOINTS = 3 };   /* two, and the draft of the next */
    const fr_output_def *output = &run->def->output;
    int first = run->resumed ? run->found.frames_done : 0, every = output->every > 0 ? output->every : 1;
    double frames = run->target > first ? floor((double)(run->target - first) / every) + 1 : 0;
    double frame = run_folder_frame_bytes(run->def, &run->estimate), checkpoint = run->estimate.checkpoint_bytes;
    double needed = frames * frame + CHECKPOINTS * checkpoint;
    double room = machine_disk_free(run->folder.dir);
    if (room < 0 || needed <= room)
        return FR_OK;
    text parts = {0};
    if (frame > 0 && frames > 0)
        text_add(&parts, "%.0f frame%s of %s and ", frames, frames == 1 ? "" : "s", say_bytes(frame).text);
    text_add(&parts, "%d checkpoints of %s", CHECKPOINTS, say_bytes(checkpoint).text);
    fr_result result = fr_fail(FR_ERROR_FILE, "the run may need %s on the disk (%s) and the disk of %s has %s free; make room, "
                               "write fewer frames (output.every, --frames), %s or another disk (-o DIR)",
                               say_bytes(needed).text, parts.data, run->folder.dir, say_bytes(room).text, method_coarser(run->def, &run->estimate));
    text_free(&parts);
    return result;
}

/* The disk, then the world; where the memory does not suffice that is said first. */
static fr_result run_make_world(run *run)
{
    FR_TRY(machine_can_write(run->folder.dir));
    bool tight = run->estimate.memory_bytes > fr_memory_available();
    if (!tight)
        FR_TRY(run_check_disk(run));
    FR_TRY(fr_scene_locate(run->scene, fr_world_create(run->def, &run->world)));
    return tight ? run_check_disk(run) : FR_OK;
}

/* Whether the folder holds frames beyond the first: then starting again would lose work. */
static bool run_has_progress(const run *run)
{
    fr_table ledger;
    if (fr_table_read(run_folder_path(&run->folder, "ledger.csv").text, &ledger) != FR_OK)
        return false;
    bool progress = ledger.rows > 1;
    fr_table_free(&ledger);
    return progress;
}

/* Puts the world where the folder's newest checkpoint stands. A run that was ended before its first checkpoint starts
   again; one that has lost its checkpoints is left as it is. */
static fr_result run_restore(run *run)
{
    run_path path = run_folder_path(&run->folder, "checkpoint");
    fr_result result = fr_checkpoint_read(path.text, &run->checkpoint);
    if (result == FR_ERROR_MEMORY)
        return result;
    if (result != FR_OK) {
        text reason = {0};
        text_add(&reason, "%s", fr_error_message());
        bool lost = run_has_progress(run);
        if (lost)
            result = fr_fail(FR_ERROR_FILE, "%s: its frames are kept, but there is no checkpoint to go on from (%s); --force starts again", run->folder.dir, reason.data);
        else
            say_info("no checkpoint to go on from (%s): starting from the beginning", reason.data);
        text_free(&reason);
        run->resumed = false;
        return lost ? result : FR_OK;
    }
    FR_TRY(fr_world_restore(run->world, run->checkpoint.blocks, run->checkpoint.count));
    FR_TRY(fr_csv_truncate(run_folder_path(&run->folder, "ledger.csv").text, "frame", fr_world_frame_index(run->world)));
    FR_TRY(fr_csv_truncate(run_folder_path(&run->folder, "obstacles.csv").text, "frame", fr_world_frame_index(run->world)));
    FR_TRY(fr_csv_truncate(run_folder_path(&run->folder, "probes.csv").text, "time", fr_world_time(run->world)));
    run->record.wall_seconds = run->found.wall_seconds;
    text_free(&run->record.started);
    text_add(&run->record.started, "%s", run->found.started.data ? run->found.started.data : machine_now().text);
    say_info("going on from frame %d, t = %.6g s", fr_world_frame_index(run->world), fr_world_time(run->world));
    return FR_OK;
}

static fr_result run_prepare_folder(run *run)
{
    FR_TRY(run_folder_lock(&run->folder));
    run_folder_tidy(&run->folder);
    if (run->resumed)
        FR_TRY(run_restore(run));
    FR_TRY(run_record_write(&run->folder, &run->record));
    if (run->resumed)
        return FR_OK;
    run_folder_clear(&run->folder, run->found.name.data ? run->found.name.data : run->def->name);
    FR_TRY(text_write_file(run_folder_path(&run->folder, "scene.lua").text, run->scene_text.data));
    return fr_verify_record(run->folder.dir, "scene.lua");
}

static void run_announce(const run *run)
{
    const int *cells = run->estimate.cells;
    char size[96];
    if (run->def->method == FR_METHOD_SPH)
        snprintf(size, sizeof size, "%.0f particles at the most, %.4g m apart", run->estimate.particles, run->def->sph.spacing);
    else
        snprintf(size, sizeof size, run->estimate.dims == 2 ? "%d x %d cells" : "%d x %d x %d cells", cells[0], cells[1], cells[2]);
    say_info("%s: %s, frames to %d, %d thread%s, memory about %s, into %s", run->def->name, size, run->target,
             fr_threads(), fr_threads() == 1 ? "" : "s", say_bytes(run->estimate.memory_bytes).text, run->folder.dir);
    if (run->def->output.images || run->def->output.video)
        pictures_check(run->def);
}

static int run_make_pictures(const run *run, const simulation *sim)
{
    const fr_output_def *output = &run->def->output;
    if ((!output->images && !output->video) || sim->no_pictures)
        return CLI_DONE;
    pictures pictures = {.folder = &run->folder, .def = run->def, .frames = {0, run->target}, .film = output->video};
    if (output->cache && !sim->no_cache)
        return pictures_from_cache(&pictures);
    if (!output->video)
        return CLI_DONE;
    int every = output->every > 0 ? output->every : 1, count = run->target / every + 1;
    int *frames = calloc((size_t)count, sizeof *frames);
    for (int i = 0; frames && i < count; i++)
        frames[i] = i * every;
    int status = frames ? pictures_film(&pictures, fr_world_frame(run->world), frames, count) : CLI_FAILED;
    free(frames);
    return status;
}

static int run_simulate(run *run)
{
    const int *cells = run->estimate.cells;
    simulation sim = {.def = run->def, .world = run->world, .folder = &run->folder, .record = &run->record,
                      .target = run->target, .resumed = run->resumed, .checkpoint_order = run->checkpoint.order,
                      .progress = {.pictures = (run->def->output.images || run->def->output.video) && run->def->output.cache,
                                   .target = run->target, .fps = run->def->time.fps, .json = run->options.json,
                                   .particles = run->def->method == FR_METHOD_SPH,
                                   .elements = run->def->method == FR_METHOD_SPH ? run->estimate.particles : (double)cells[0] * cells[1] * cells[2]}};
    fr_checkpoint_free(&run->checkpoint);
    run_report report = {.folder = &run->folder, .record = &run->record, .world = run->world, .sim = &sim};
    fr_result result = fr_scene_locate(run->scene, simulate(&sim));
    if (result != FR_OK)
        return run_report_failure(&report, result);
    int status = run_make_pictures(run, &sim);
    if (status == CLI_USAGE) {
        say_error("the frames are kept; correct the scene's views, or name others: freshet render %s --view FIELD", run->folder.dir);
        status = CLI_FAILED;
    }
    return run_report_end(&report, status);
}

static int run_all(run *run)
{
    fr_result result = run_load(run);
    if (result != FR_OK)
        return say_failure(result);
    run_write_scene_text(run);
    run_fill_record(run);
    int status = run_look_at_folder(run);
    if (status != OPTIONS_GO_ON)
        return status;
    interrupt_watch();
    if ((result = run_make_world(run)) != FR_OK)
        return say_failure(result);
    if ((result = run_prepare_folder(run)) != FR_OK) {
        status = say_failure(result);
        return result == FR_ERROR_INPUT ? CLI_FAILED : status;
    }
    run_announce(run);
    return run_simulate(run);
}

int command_run(int argc, char **argv)
{
    run run = {.resumed = false};
    int status = run_parse(&run, argc, argv);
    if (status == OPTIONS_GO_ON)
        status = run_all(&run);
    fr_checkpoint_free(&run.checkpoint);
    fr_world_destroy(run.world);
    fr_scene_destroy(run.scene);
    run_folder_close(&run.folder);
    run_record_free(&run.record);
    run_record_free(&run.found);
    text_free(&run.scene_text);
    return status;
}
