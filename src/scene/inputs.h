/* The input files of a scene: meshes and tables of nodes. A run keeps copies, so that it can be rendered and checked
   later. */
#ifndef FR_SCENE_INPUTS_H
#define FR_SCENE_INPUTS_H

#include <freshet/scene.h>

#include "base/arena.h"

enum { INPUTS_MOST = 9999 };

typedef struct input_list {
    const char *folder;      /* where relative paths start */
    const char *kept;        /* folder with copies, searched first; NULL: none */
    fr_scene_input items[INPUTS_MOST];
    int count;
} input_list;

/* Registers the input file `name` and returns the path to read; the same for the same name. NULL if memory runs out or
   there are too many files. */
const char *inputs_take(input_list *inputs, arena *arena, const char *name);

#endif
