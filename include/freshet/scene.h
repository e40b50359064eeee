/* Freshet: scenes written in Lua. */
#ifndef FRESHET_SCENE_H
#define FRESHET_SCENE_H

#include <freshet/defs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fr_scene fr_scene;

typedef struct fr_scene_options {
    const char *const *set;    /* "time.duration=2": overrides, applied in order */
    int set_count;
    int res;                   /* cells, or particles of sph, along the longest side (0: as written) */
    const char *base_dir;      /* where relative paths start (NULL: the scene's own folder) */
    const char *inputs;        /* folder with copies of the scene's inputs, taken instead of them (NULL: none) */
} fr_scene_options;

/* Runs the file in the sandbox and checks the result. Failures read "file:line: what is wrong, what to do". */
FR_API fr_result fr_scene_load(const char *path, const fr_scene_options *options, fr_scene **scene);
FR_API void fr_scene_destroy(fr_scene *scene);

/* The definition; lives as long as the scene. Its functions do, too: the scene must outlive the worlds made of it. */
FR_API const fr_scene_def *fr_scene_definition(const fr_scene *scene);

/* The file's text as it was read. */
FR_API const char *fr_scene_text(const fr_scene *scene);

/* The files that the scene reads: meshes, tables of nodes. They live as long as the scene. */
typedef struct fr_scene_input {
    const char *name;          /* as the scene has it */
    const char *path;          /* where it was found */
    const char *copy;          /* the name of a copy: "0001-bunny.obj" */
} fr_scene_input;
FR_API int fr_scene_inputs(const fr_scene *scene, const fr_scene_input **inputs);

/* Puts "file:line: " before the last failure when it names a key of this scene. Returns `result`. */
FR_API fr_result fr_scene_locate(const fr_scene *scene, fr_result result);

#ifdef __cplusplus
}
#endif
#endif
