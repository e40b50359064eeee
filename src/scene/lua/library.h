/* Lua's libraries in the sandbox: math, string, table and the basic functions. They are safe (none can run for ever
   within one instruction, none catches a limit error) and deterministic (no clock; neither strings nor the order of a
   table depend on addresses). */
#ifndef FR_SCENE_LUA_LIBRARY_H
#define FR_SCENE_LUA_LIBRARY_H

#include <lua.h>

/* Opens them all in a new state. Raises Lua errors: call it protected. */
void library_open(lua_State *lua);

/* Continues as Lua's own function, which is the first upvalue and has no upvalues itself. So error messages use the
   name that the scene uses. */
int library_original(lua_State *lua);

/* Replaces functions of the table on the top of the stack. */
void library_open_patterns(lua_State *lua); /* string: find, match, gmatch, gsub */
void library_open_tables(lua_State *lua);   /* table: insert, remove, concat, unpack, sort, move */
void library_open_order(lua_State *lua);    /* globals: pairs and next, in the order of the keys */

/* Replaces tostring, print and string.format. */
void library_open_text(lua_State *lua);

#endif
