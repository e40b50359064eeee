/* Lua functions of a scene as callbacks of a definition. */
#ifndef FR_SCENE_LUA_FUNCTIONS_H
#define FR_SCENE_LUA_FUNCTIONS_H

#include "scene/decode/decode.h"

/* How many numbers go in and come out, and which of those that the caller has is the first: only t of x, y, z, t is {1,
 * 1, 3}. */
typedef struct function_form {
    int args, results, first;
} function_form;

/* Keeps the function on the top of the stack. */
fr_result functions_of(decoder *d, function_form form, fr_function *function, void **context);
fr_result functions_number(decoder *d, fr_number *number);  /* (x, y, z, t) → one number */
fr_result functions_vector(decoder *d, fr_vector *vector);  /* (x, y, z, t) → one number per axis */
fr_result functions_shape(decoder *d, fr_shape_def *shape); /* (x, y, z) → distance */
fr_result functions_path(decoder *d, fr_obstacle_def *obstacle); /* (t) → x, y, z, degrees, axis */

#endif
