/* The scene of an existing run, with its overrides. */
#ifndef RUN_SCENE_H
#define RUN_SCENE_H

#include "run/folder.h"

typedef struct run_scene {
    fr_scene *scene;
    text name;
    fr_scene_def def;   /* the scene's definition, with the name of the run: scene.lua may have none */
} run_scene;

/* Opens the folder and loads its scene.lua with the run's overrides; reports errors. Returns OPTIONS_GO_ON or an exit
   status. The caller closes `scene` in any case. */
int run_scene_open(run_folder *folder, const char *dir, run_scene *scene);
void run_scene_close(run_scene *scene);

#endif
