/* The constructors of the scene language (sphere{…}, source{…}, …). Each returns its argument table; the
   sandbox records separately which constructor it was and on which line. */
#ifndef FR_SCENE_LUA_CONSTRUCTORS_H
#define FR_SCENE_LUA_CONSTRUCTORS_H

#include <lua.h>
#include <stdbool.h>

/* Raises Lua errors: call it protected. */
void constructors_open(lua_State *lua);

/* The constructor of the value at `index`, or NULL; `line` (may be NULL) gets the line of the call. */
const char *constructor_of(lua_State *lua, int index, int *line);

#endif
