/* The scene of a finished or unfinished run, as it ran. */
#ifndef RUN_SCENE_H
#define RUN_SCENE_H

#include "run_folder.h"

/* Opens the folder and loads its scene.lua with the run's overrides; says what is wrong. Returns OPTIONS_GO_ON, or an
   exit status. The scene is destroyed by the caller. */
int run_scene_open(run_folder *folder, const char *dir, fr_scene **scene);

#endif
