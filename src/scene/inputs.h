/* The files that a scene names: meshes and tables of nodes. A run keeps copies of them, from which it can be looked at
   and checked later. */
#ifndef FR_SCENE_INPUTS_H
#define FR_SCENE_INPUTS_H

#include <freshet/scene.h>

#include "base/arena.h"

enum { INPUTS_MOST = 9999 };

typedef struct input_list {
    const char *folder;      /* where relative paths start */
    const char *kept;        /* folder of copies, looked into first; NULL: none */
    fr_scene_input items[INPUTS_MOST];
    int count;
} input_list;

/* Where the file `name` of the scene is to be read: the same file for the same name. NULL without memory or when there
   are too many. */
const char *inputs_take(input_list *inputs, arena *arena, const char *name);

#endif
