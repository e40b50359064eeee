/* Limits of every definition. */
#ifndef FR_METHOD_LIMITS_H
#define FR_METHOD_LIMITS_H

/* Marks a scene definition that came from fr_default_scene. */
enum { MODEL_COOKIE = 0x46524553 };

/* The largest number in a scene. Fields are float32, and the square of a larger number may overflow. */
#define MODEL_LARGEST 1e15

#endif
