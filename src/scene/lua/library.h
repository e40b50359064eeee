/* What a scene finds of Lua's own libraries: math, string, table and the basic functions, each made safe (none can
   run for ever inside one instruction, none swallows a limit) and deterministic (no clock, no addresses in
   texts or in the order of a table). */
#ifndef FR_SCENE_LUA_LIBRARY_H
#define FR_SCENE_LUA_LIBRARY_H

#include <lua.h>

/* Opens them all in a new state. Raises Lua errors: call it protected. */
void library_open(lua_State *lua);

/* Goes on as Lua's own function, which is the first upvalue and has none itself: errors name it as the scene does. */
int library_original(lua_State *lua);

/* Replaces functions of the table on the top of the stack. */
void library_open_patterns(lua_State *lua); /* string: find, match, gmatch, gsub */
void library_open_tables(lua_State *lua);   /* table: insert, remove, concat, unpack, sort, move */
void library_open_order(lua_State *lua);    /* globals: pairs and next, in the order of the keys */

/* Replaces tostring, print and string.format. */
void library_open_text(lua_State *lua);

#endif
