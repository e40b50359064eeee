/* A definition of one's own. */
#ifndef FR_WORLD_COPY_H
#define FR_WORLD_COPY_H

#include <freshet/defs.h>

#include "base/arena.h"

/* Copies a definition with all that it points to into the arena. Functions and their contexts stay the caller's.
   Shapes that are shared stay shared, so that the copy is as large as the original, and one that holds itself is
   still found by those who compile it. */
fr_result scene_copy(const fr_scene_def *def, arena *arena, fr_scene_def *out);

#endif
