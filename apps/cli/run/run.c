/* freshet run: runs a scene into a folder. All checks are made before anything is written. */
#include "run/run.h"
#include "kit/interrupt.h"
#include "kit/method.h"
#include "kit/pictures.h"
#include "run/report.h"
#include "kit/say.h"
#include "run/simulate.h"

#include <stdlib.h>

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
        {"allow-dir", 0, OPTION_FLAG, &o->allow_dir, NULL, "let the scene's output.dir lead out of the working folder"},
        {"quiet", 0, OPTION_FLAG, &o->quiet, NULL, "say nothing but errors"},
        {"json", 0, OPTION_FLAG, &o->json, NULL, "one JSON object per frame on standard output, one at the end"},
    };
    const options_def def = {
        .command = "run",
        .words = "SCENE",
        .least = 1,
        .most = 1,
        .summary =
            "Simulates a scene into a folder: fields, ledger, probes, checkpoints, and pictures or a film when\n"
            "the scene asks for them. Ctrl-C stops after the running step; --resume goes on, with the same bits.",
        .options = table,
        .option_count = sizeof table / sizeof table[0]};
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

static void run_announce(const run *run)
{
    const int *cells = run->estimate.cells;
    char size[96];
    if (fr_method_describe(run->def->method)->of_particles)
        snprintf(size, sizeof size, "%.0f particles at the most, %.4g m apart", run->estimate.particles,
                 run->estimate.spacing[0]);
    else
        snprintf(size, sizeof size, run->estimate.dims == 2 ? "%d x %d cells" : "%d x %d x %d cells", cells[0],
                 cells[1], cells[2]);
    say_info("%s: %s, frames to %d, %d thread%s, memory about %s, into %s", run->def->name, size, run->target,
             fr_threads(), fr_threads() == 1 ? "" : "s", say_bytes(run->estimate.memory_bytes).text, run->folder.dir);
    if (run->def->output.images || run->def->output.video)
        pictures_check(run->def);
}

static int run_make_pictures(const run *run, const simulation *sim)
{
    const fr_output_def *output = &run->def->output;
    if (!output->images && !output->video)
        return CLI_DONE;
    if (sim->no_pictures) {
        say_error("the scene asks for pictures and this build cannot make them; the frames are kept in %s",
                  run->folder.dir);
        return CLI_FAILED;
    }
    pictures pictures = {.folder = &run->folder, .def = run->def, .frames = {0, run->target}, .film = output->video};
    if (output->cache)
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
    bool particles = fr_method_describe(run->def->method)->of_particles;
    simulation sim = {
        .def = run->def,
        .world = run->world,
        .folder = &run->folder,
        .record = &run->record,
        .target = run->target,
        .resumed = run->resumed,
        .checkpoint_order = run->checkpoint.order,
        .progress = {.pictures = (run->def->output.images || run->def->output.video) && run->def->output.cache,
                     .target = run->target,
                     .fps = run->def->time.fps,
                     .json = run->options.json,
                     .particles = particles,
                     .elements = particles ? run->estimate.particles : (double)cells[0] * cells[1] * cells[2]}};
    fr_checkpoint_free(&run->checkpoint);
    run_report report = {.folder = &run->folder, .record = &run->record, .world = run->world, .sim = &sim};
    fr_result result = fr_scene_locate(run->scene, simulate(&sim));
    fr_models_destroy(sim.models);
    if (result != FR_OK)
        return run_report_failure(&report, result);
    int status = run_make_pictures(run, &sim);
    if (status == CLI_USAGE) {
        say_error("the frames are kept; correct the scene's views, or name others: freshet render %s --view FIELD",
                  run->folder.dir);
        status = CLI_FAILED;
    }
    return run_report_end(&report, status);
}

static int run_all(run *run)
{
    fr_result result = run_load(run);
    if (result != FR_OK)
        return say_failure(result);
    int status = run_judge(run);
    if (status != OPTIONS_GO_ON)
        return status;
    interrupt_watch();
    if ((result = run_prepare(run)) != FR_OK) {
        status = say_failure(result);
        return run->resumed && result == FR_ERROR_INPUT ? CLI_FAILED : status;
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
    run_record_free(&run.basis);
    text_free(&run.scene_text);
    free(run.input_sums);
    return status;
}
