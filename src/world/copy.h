/* A deep copy of a definition. */
#ifndef FR_WORLD_COPY_H
#define FR_WORLD_COPY_H

#include <freshet/defs.h>

#include "base/arena.h"

/* Copies a definition and all that it points to into the arena. Functions and their contexts stay the caller's. Shared
   shapes stay shared, so the copy is not larger than the original, and a cycle stays a cycle, which compiling the shape
   reports. */
fr_result scene_copy(const fr_scene_def *def, arena *arena, fr_scene_def *out);

#endif
