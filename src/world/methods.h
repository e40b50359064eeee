/* The methods of this build. */
#ifndef FR_WORLD_METHODS_H
#define FR_WORLD_METHODS_H

#include "method/method.h"

/* NULL for a number that is no method. */
const method *method_of(const fr_scene_def *def);

/* 2 or 3. */
int method_dims(const fr_scene_def *def);

#endif
