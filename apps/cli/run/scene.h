/* The scene of a finished or unfinished run, as it ran. */
#ifndef RUN_SCENE_H
#define RUN_SCENE_H

#include "run/folder.h"

typedef struct run_scene {
    fr_scene *scene;
    text name;
    fr_scene_def def;   /* the scene's, under the name it ran by: scene.lua itself may have none */
} run_scene;

/* Opens the folder and loads its scene.lua with the run's overrides; says what is wrong. Returns OPTIONS_GO_ON, or an
   exit status. `scene` is closed by the caller in any case. */
int run_scene_open(run_folder *folder, const char *dir, run_scene *scene);
void run_scene_close(run_scene *scene);

#endif
