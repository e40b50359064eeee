/* Loading a scene: read, run in the sandbox, apply overrides, decode, check. */
#include <freshet/scene.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/decode/decode.h"
#include "scene/overrides.h"
#include "scene/source.h"

struct fr_scene {
    arena arena;
    char *path;
    source_text source;
    sandbox box;
    line_map lines;
    override_list overrides;
    input_list inputs;
    fr_scene_def def;
};

/* Arguments and result of the protected part of loading. */
typedef struct scene_loading {
    fr_scene *scene;
    const fr_scene_options *options;
    fr_result result;
} scene_loading;

static const char *scene_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The file's name without its extension. */
static char *scene_default_name(fr_scene *scene)
{
    const char *file = scene_file_name(scene->path), *dot = strrchr(file, '.');
    int length = dot && dot > file ? (int)(dot - file) : (int)strlen(file);
    char *name = arena_printf(&scene->arena, "%.*s", length < 100 ? length : 100, file);
    return name ? fr_make_printable(name) : NULL;
}

static char *scene_folder(fr_scene *scene, const fr_scene_options *options)
{
    if (options && options->base_dir && *options->base_dir)
        return arena_strdup(&scene->arena, options->base_dir);
    int length = (int)(scene_file_name(scene->path) - scene->path);
    if (length == 0)
        return arena_strdup(&scene->arena, ".");
    return arena_printf(&scene->arena, "%.*s", length > 1 ? length - 1 : 1, scene->path);
}

/* The table that the scene returned is on the top of the stack. */
static fr_result scene_build(fr_scene *scene, const fr_scene_options *options)
{
    decoder d = {
        .box = &scene->box, .lua = scene->box.lua, .arena = &scene->arena, .lines = &scene->lines, .def = &scene->def,
        .inputs = &scene->inputs, .res = options ? options->res : 0};
    FR_TRY(overrides_apply(d.lua, &scene->arena, options, &scene->overrides));
    scene->def = fr_default_scene(FR_METHOD_SMOKE);
    scene->def.name = scene_default_name(scene);
    scene->inputs.folder = scene_folder(scene, options);
    scene->inputs.kept = options && options->inputs ? arena_strdup(&scene->arena, options->inputs) : NULL;
    if (!scene->def.name || !scene->inputs.folder)
        return FR_ERROR_MEMORY;
    FR_TRY(decode_scene(&d));
    return fr_scene_check(&scene->def);
}

static int scene_build_protected(lua_State *lua)
{
    scene_loading *loading = lua_touserdata(lua, 1);
    loading->result = scene_build(loading->scene, loading->options);
    return 0;
}

/* A failure without a key gets the line of `return`, unless its message already names a place. */
static fr_result scene_locate_build(const fr_scene *scene, fr_result result)
{
    if (result == FR_OK || fr_error_key()[0])
        return fr_scene_locate(scene, result);
    const char *message = fr_error_message();
    if (!strncmp(message, "--set ", 6) || !strncmp(message, scene->path, strlen(scene->path)))
        return result;
    return fr_fail(result, "%s:%d: %s", scene->path, scene->lines.last, message);
}

static fr_result scene_load_into(fr_scene *scene, const fr_scene_options *options)
{
    FR_TRY(source_read(scene->path, &scene->arena, &scene->source));
    FR_TRY(sandbox_open(&scene->box, scene->path));
    FR_TRY(sandbox_run(&scene->box, scene->source.code, scene->source.length));
    lines_scan(&scene->lines, &scene->arena, scene->source.code);
    scene_loading loading = {.scene = scene, .options = options};
    FR_TRY(sandbox_protect(&scene->box, scene_build_protected, &loading));
    return scene_locate_build(scene, loading.result);
}

fr_result fr_scene_load(const char *path, const fr_scene_options *options, fr_scene **out)
{
    *out = NULL;
    FR_TRY(fr_processor_check());
    fr_scene *scene = calloc(1, sizeof *scene);
    if (!scene)
        return fr_fail(FR_ERROR_MEMORY, "%s: no memory to load the scene", path);
    fr_meshes_keep();
    scene->path = arena_strdup(&scene->arena, path);
    fr_result result = scene->path ? scene_load_into(scene, options) : FR_ERROR_MEMORY;
    if (result == FR_OK)
        *out = scene;
    else
        fr_scene_destroy(scene);
    return result;
}

void fr_scene_destroy(fr_scene *scene)
{
    if (!scene)
        return;
    sandbox_close(&scene->box);
    arena_free(&scene->arena);
    free(scene);
    fr_meshes_release();
}

const fr_scene_def *fr_scene_definition(const fr_scene *scene)
{
    return &scene->def;
}

const char *fr_scene_text(const fr_scene *scene)
{
    return scene->source.text;
}

int fr_scene_inputs(const fr_scene *scene, const fr_scene_input **inputs)
{
    *inputs = scene->inputs.items;
    return scene->inputs.count;
}

fr_result fr_scene_locate(const fr_scene *scene, fr_result result)
{
    const char *key = fr_error_key();
    if (result == FR_OK || !key[0])
        return result;
    const override *cause = overrides_find(&scene->overrides, key);
    if (cause)
        return fr_fail(result, "%s: %s", cause->given, fr_error_message());
    return fr_fail(result, "%s:%d: %s", scene->path, lines_find(&scene->lines, key), fr_error_message());
}
