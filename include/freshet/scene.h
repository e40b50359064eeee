/* Freshet: scenes written in Lua. */
#ifndef FRESHET_SCENE_H
#define FRESHET_SCENE_H

#include <freshet/defs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fr_scene fr_scene;

typedef struct fr_scene_options {
    const char *const *set;    /* overrides such as "time.duration=2", applied in order */
    int set_count;
    int res;                   /* cells (sph: particles) along the longest side; 0: as the scene says */
    const char *base_dir;      /* relative paths start here (NULL: the folder of the scene file) */
    const char *inputs;        /* folder with copies of the input files, read instead of them (NULL: none) */
} fr_scene_options;

/* Runs the file in the sandbox and checks the result. Error messages have the form "file:line: what is wrong, what to
   do". `options` may be NULL and is not kept. The caller frees the scene with fr_scene_destroy. */
FR_API fr_result fr_scene_load(const char *path, const fr_scene_options *options, fr_scene **scene);
FR_API void fr_scene_destroy(fr_scene *scene);

/* The definition, owned by the scene. Its functions are Lua functions of the scene, so the scene must outlive all
   worlds created from it. */
FR_API const fr_scene_def *fr_scene_definition(const fr_scene *scene);

/* The text of the file as it was read, owned by the scene. */
FR_API const char *fr_scene_text(const fr_scene *scene);

/* The files that the scene reads: meshes and tables of grid nodes. Returns their number; the list belongs to the
   scene. */
typedef struct fr_scene_input {
    const char *name;          /* as the scene spells it */
    const char *path;          /* where it was found */
    const char *copy;          /* file name for a copy: "0001-bunny.obj" */
} fr_scene_input;
FR_API int fr_scene_inputs(const fr_scene *scene, const fr_scene_input **inputs);

/* Prefixes the message of the last failure with "file:line: " if the failure is about a key of this scene. Returns
   `result`. */
FR_API fr_result fr_scene_locate(const fr_scene *scene, fr_result result);

#ifdef __cplusplus
}
#endif
#endif
