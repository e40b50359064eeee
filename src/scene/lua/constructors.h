/* The constructors of the scene language (sphere{…}, source{…}, …). Each gives its table back; the sandbox
   remembers beside it which constructor it was and on which line. */
#ifndef FR_SCENE_LUA_CONSTRUCTORS_H
#define FR_SCENE_LUA_CONSTRUCTORS_H

#include <lua.h>
#include <stdbool.h>

/* Raises Lua errors: call it protected. */
void constructors_open(lua_State *lua);

/* The constructor that made the value at `index`, or NULL; `line` (may be NULL) gets the line of its call. */
const char *constructor_of(lua_State *lua, int index, int *line);

#endif
