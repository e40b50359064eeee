/* The methods of this build. */
#ifndef FR_WORLD_METHODS_H
#define FR_WORLD_METHODS_H

#include "method/method.h"

/* The method of a definition; NULL if this build does not have it. */
const method *method_of(const fr_scene_def *def);

/* The number of axes of a scene: 2 or 3. */
int method_dims(const fr_scene_def *def);

#endif
