/* Marks a scene definition that came from fr_default_scene. */
#ifndef FR_MODEL_COOKIE_H
#define FR_MODEL_COOKIE_H

enum { MODEL_COOKIE = 0x46524553 };

#endif
