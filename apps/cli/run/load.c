/* Loads a run's scene, finds its folder, and fills its record. */
#define _XOPEN_SOURCE 700
#include "kit/machine.h"
#include "kit/method.h"
#include "run/run.h"
#include "kit/say.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* If the scene is the scene.lua of another run's folder, its relative paths start where they did for that run. */
static bool load_own_record(const run *run, text *dir, run_record *record)
{
    const char *slash = strrchr(run->scene_path, '/');
    run_folder folder;
    if (strcmp(slash ? slash + 1 : run->scene_path, "scene.lua"))
        return false;
    text_add(dir, "%.*s", slash ? (int)(slash - run->scene_path) + (slash == run->scene_path) : 1,
             slash ? run->scene_path : ".");
    return run_folder_open(&folder, dir->data) == FR_OK &&
           access(run_folder_path(&folder, "run.json").text, F_OK) == 0 && run_record_read(&folder, record) == FR_OK;
}

static fr_result load_scene(run *run)
{
    text dir = {0}, inputs = {0};
    run_record own = {.res = 0};
    fr_scene_options options = {
        .set = run->options.set.items, .set_count = run->options.set.count, .res = run->options.res};
    if (load_own_record(run, &dir, &own)) {
        text_add(&inputs, "%s/inputs", dir.data);
        options.base_dir = own.base_dir.data;
        options.inputs = inputs.data;
        text_add(&run->record.base_dir, "%s", own.base_dir.data);
    }
    say_scene_prints(true);
    fr_result result = fr_scene_load(run->scene_path, &options, &run->scene);
    say_scene_prints(false);
    text_free(&dir);
    text_free(&inputs);
    run_record_free(&own);
    return result;
}

/* The longest existing part of a path, with symbolic links resolved; NULL on failure. */
static char *load_real_part(const char *path)
{
    text part = {0};
    text_add(&part, "%s", path);
    char *real;
    while (!(real = realpath(part.data, NULL))) {
        char *slash = strrchr(part.data, '/');
        if (!slash) {
            real = realpath(".", NULL);
            break;
        }
        slash[slash == part.data] = 0;
    }
    text_free(&part);
    return real;
}

/* A scene may come from anyone: on its own it may choose only folders below the working directory. */
static fr_result load_check_dir(const run *run, const char *dir)
{
    bool leaves = dir[0] == '/';
    for (const char *part = dir; part; part = strchr(part, '/'), part += part != NULL)
        leaves = leaves || (!strncmp(part, "..", 2) && (part[2] == '/' || part[2] == 0));
    char *real = leaves ? NULL : load_real_part(dir), *here = realpath(".", NULL);
    size_t length = here ? strlen(here) : 0;
    bool root = length == 1;
    leaves =
        leaves || !real || !here || strncmp(real, here, length) || !(root || real[length] == 0 || real[length] == '/');
    free(real);
    free(here);
    if (!leaves)
        return FR_OK;
    return fr_scene_locate(run->scene,
                           fr_fail_key("output.dir",
                                       "output.dir '%s' points outside the working folder; -o DIR says where to write "
                                       "instead, --allow-dir lets the scene have its way",
                                       dir));
}

static bool load_dir_was_set(const run *run)
{
    for (int i = 0; i < run->options.set.count; i++)
        if (!strncmp(run->options.set.items[i], "output.dir=", 11))
            return true;
    return false;
}

static fr_result load_folder(run *run)
{
    const char *given = run->options.dir, *written = run->def->output.dir;
    char name[256];
    if (given || written) {
        if (!given && !run->options.allow_dir && !load_dir_was_set(run))
            FR_TRY(load_check_dir(run, written));
        return run_folder_open(&run->folder, given ? given : written);
    }
    text dir = {0};
    run_file_name(run->def->name, name, sizeof name);
    text_add(&dir, "runs/%s", name);
    fr_result result = run_folder_open(&run->folder, dir.data);
    text_free(&dir);
    return result;
}

/* Writes an override as a Lua comment. A line break in it must not end the comment. */
static void load_add_comment(text *out, const char *option, const char *value)
{
    text_add(out, "--   %s ", option);
    for (const char *c = value; *c; c++)
        text_add(out, "%c", (unsigned char)*c < 0x20 ? ' ' : *c);
    text_add(out, "\n");
}

/* The text of scene.lua in the run's folder: the scene, then the overrides as comments. */
static void load_scene_text(run *run)
{
    text *out = &run->scene_text;
    text_add(out, "%s", fr_scene_text(run->scene));
    if (run->options.res == 0 && run->options.set.count == 0)
        return;
    if (out->length && out->data[out->length - 1] != '\n')
        text_add(out, "\n");
    text_add(out, RUN_OVERRIDES);
    if (run->options.res) {
        char number[16];
        snprintf(number, sizeof number, "%d", run->options.res);
        load_add_comment(out, "--res", number);
    }
    for (int i = 0; i < run->options.set.count; i++)
        load_add_comment(out, "--set", run->options.set.items[i]);
}

static void load_record(run *run)
{
    run_record *record = &run->record;
    text_add(&record->name, "%s", run->def->name);
    text_add(&record->method, "%s", fr_method_describe(run->def->method)->name);
    text_add(&record->scene, "%s", run->scene_path);
    text_add(&record->build, "%s", fr_build());
    if (!record->base_dir.data) {
        char *whole = realpath(run->scene_path, NULL);
        char *slash = whole ? strrchr(whole, '/') : NULL;
        text_add(&record->base_dir, "%.*s", slash ? (int)(slash - whole) + (slash == whole) : 1, slash ? whole : ".");
        free(whole);
    }
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

fr_result run_load(run *run)
{
    FR_TRY(load_scene(run));
    run->def = fr_scene_definition(run->scene);
    FR_TRY(fr_scene_locate(run->scene, fr_scene_estimate(run->def, &run->estimate)));
    run->target = run->options.frames >= 0 ? run->options.frames : run->estimate.frames;
    FR_TRY(load_folder(run));
    FR_TRY(run_inputs_measure(run->scene, &run->input_sums));
    load_scene_text(run);
    load_record(run);
    return FR_OK;
}
