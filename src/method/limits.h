/* What every definition is held to. */
#ifndef FR_METHOD_LIMITS_H
#define FR_METHOD_LIMITS_H

/* Marks a scene definition that came from fr_default_scene. */
enum { MODEL_COOKIE = 0x46524553 };

/* Fields are float32 and get squared: larger numbers than this have no meaning in a scene. */
#define MODEL_LARGEST 1e15

#endif
