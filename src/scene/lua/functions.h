/* Wraps Lua functions of a scene as callbacks (fr_function) of a definition. */
#ifndef FR_SCENE_LUA_FUNCTIONS_H
#define FR_SCENE_LUA_FUNCTIONS_H

#include "scene/decode/decode.h"

/* The number of arguments and results, and the index of the first argument to pass: {1, 1, 3} passes only t of
   x, y, z, t. */
typedef struct function_form {
    int args, results, first;
} function_form;

/* Registers the function on the top of the stack. The context lives as long as the scene. */
fr_result functions_of(decoder *d, function_form form, fr_function *function, void **context);
fr_result functions_number(decoder *d, fr_number *number);  /* (x, y, z, t) → one number */
fr_result functions_vector(decoder *d, fr_vector *vector);  /* (x, y, z, t) → one number per axis */
fr_result functions_shape(decoder *d, fr_shape_def *shape); /* (x, y, z) → distance */
/* (T, scalars) → one number; the callback's arguments are T and the scene's scalars in their order. */
fr_result functions_law(decoder *d, fr_function *function, void **context);
/* (t) → in 2D one number, about z; in 3D a vector; the callback's only argument is t. */
fr_result functions_turn(decoder *d, fr_vector *vector);
/* Of a side of a river: (share) or, in 3D, (share, share), with t among them if `timed` → one number. The callback's
   arguments are those of an fr_river_side. `along`: whether it takes a share. */
fr_result functions_side(decoder *d, bool timed, fr_number *number, bool *along);
fr_result functions_path(decoder *d, fr_obstacle_def *obstacle); /* (t) → x, y, z, degrees, axis */

#endif
