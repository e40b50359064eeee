/* The table library and the order of pairs. Lua's table functions loop in C, where no instructions are counted, and
   metamethods can make these loops endless. Here they refuse tables with a metatable, and their loops are charged. */
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "scene/lua/library.h"
#include "scene/lua/sandbox.h"

/* Measured cost of the work on one element, in instructions. */
enum { CONCAT_COST = 24, SORT_COST = 4, NEXT_COST = 8, PAIRS_COST = 4 };

static lua_Integer library_integer(lua_State *lua, int index, lua_Integer otherwise)
{
    int whole = 0;
    lua_Integer value = lua_tointegerx(lua, index, &whole);
    return whole ? value : otherwise;
}

/* Steps of a loop from `first` to `last`, capped at a value that exceeds the limit anyway. */
static int64_t library_steps(lua_Integer first, lua_Integer last)
{
    if (last < first)
        return 1;
    double steps = (double)last - (double)first + 1;
    return (int64_t)fmin(steps, 1e12);
}

static int64_t library_cost(lua_State *lua, const char *name)
{
    lua_Integer n = (lua_Integer)lua_rawlen(lua, 1);
    if (!strcmp(name, "insert"))
        return lua_gettop(lua) > 2 ? library_steps(library_integer(lua, 2, 1), n) : 1;
    if (!strcmp(name, "remove"))
        return lua_gettop(lua) > 1 ? library_steps(library_integer(lua, 2, 1), n) : 1;
    if (!strcmp(name, "move"))
        return library_steps(library_integer(lua, 2, 1), library_integer(lua, 3, n));
    if (!strcmp(name, "sort"))
        return (int64_t)((double)n * SORT_COST * (1 + log2((double)n + 1)));
    return (n + 1) * (strcmp(name, "concat") ? 1 : CONCAT_COST);
}

static int library_table_function(lua_State *lua)
{
    const char *name = lua_tostring(lua, lua_upvalueindex(2));
    luaL_checktype(lua, 1, LUA_TTABLE);
    bool other = !strcmp(name, "move") && lua_istable(lua, 5);
    if (lua_getmetatable(lua, 1) || (other && lua_getmetatable(lua, 5)))
        return luaL_error(lua, "table.%s works on tables without a metatable here", name);
    sandbox_charge(lua, library_cost(lua, name));
    return library_original(lua);
}

void library_open_tables(lua_State *lua)
{
    static const char *const names[] = {"insert", "remove", "concat", "unpack", "sort", "move"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lua_getfield(lua, -1, names[i]);
        lua_pushstring(lua, names[i]);
        lua_pushcclosure(lua, library_table_function, 2);
        lua_setfield(lua, -2, names[i]);
    }
}

static int library_rank(int type)
{
    return type == LUA_TNUMBER ? 0 : type == LUA_TSTRING ? 1 : type == LUA_TBOOLEAN ? 2 : 3;
}

/* The serial number of a table's or function's block. C functions without upvalues have no block; their addresses in
   the program have a fixed order. */
static uint64_t library_age(lua_State *lua, int index)
{
    const void *place = lua_topointer(lua, index);
    bool in_program = lua_iscfunction(lua, index) && !lua_getupvalue(lua, index, 1);
    if (in_program)
        return (uint64_t)(uintptr_t)place;
    lua_pop(lua, lua_iscfunction(lua, index));
    return block_number(place);
}

/* The order of keys: numbers, strings, booleans, then the rest by creation. Lua's own order changes from run to run,
   but a resumed run must read the same scene. */
static bool library_key_before(lua_State *lua, int a, int b)
{
    int rank_a = library_rank(lua_type(lua, a)), rank_b = library_rank(lua_type(lua, b));
    if (rank_a != rank_b)
        return rank_a < rank_b;
    if (rank_a == 0)
        return lua_compare(lua, a, b, LUA_OPLT);
    if (rank_a == 2)
        return !lua_toboolean(lua, a) && lua_toboolean(lua, b);
    if (rank_a == 3)
        return library_age(lua, a) < library_age(lua, b);
    size_t length_a, length_b;
    const char *text_a = lua_tolstring(lua, a, &length_a), *text_b = lua_tolstring(lua, b, &length_b);
    int order = memcmp(text_a, text_b, length_a < length_b ? length_a : length_b);
    return order ? order < 0 : length_a < length_b;
}

static int library_key_less(lua_State *lua)
{
    lua_pushboolean(lua, library_key_before(lua, 1, 2));
    return 1;
}

/* next(table, key): the smallest key after `key`. */
static int library_next(lua_State *lua)
{
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 2);
    lua_pushnil(lua);
    int64_t visited = 0;
    for (lua_pushnil(lua); lua_next(lua, 1); lua_pop(lua, 1)) {
        visited++;
        bool after = lua_isnil(lua, 2) || library_key_before(lua, 2, 4);
        if (after && (lua_isnil(lua, 3) || library_key_before(lua, 4, 3))) {
            lua_pushvalue(lua, 4);
            lua_replace(lua, 3);
        }
    }
    sandbox_charge(lua, visited * NEXT_COST);
    if (lua_isnil(lua, 3))
        return 1;
    lua_pushvalue(lua, 3);
    lua_rawget(lua, 1);
    return 2;
}

/* Upvalues: the sorted keys, and how many have been returned. Skips keys whose values have been removed meanwhile. */
static int library_pairs_step(lua_State *lua)
{
    lua_settop(lua, 1);
    lua_Integer index = lua_tointeger(lua, lua_upvalueindex(2));
    for (;;) {
        index++;
        if (lua_rawgeti(lua, lua_upvalueindex(1), index) == LUA_TNIL)
            break;
        lua_pushvalue(lua, -1);
        if (lua_rawget(lua, 1) != LUA_TNIL)
            break;
        lua_pop(lua, 2);
    }
    lua_pushinteger(lua, index);
    lua_replace(lua, lua_upvalueindex(2));
    return lua_isnil(lua, -1) ? 1 : 2;
}

static int library_pairs(lua_State *lua)
{
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 1);
    lua_newtable(lua);
    bool sorted = true;
    lua_Integer count = 0;
    for (lua_pushnil(lua); lua_next(lua, 1); lua_pop(lua, 1)) {
        if (count > 0) {
            lua_rawgeti(lua, 2, count);
            sorted = sorted && library_key_before(lua, 5, 3);
            lua_pop(lua, 1);
        }
        lua_pushvalue(lua, 3);
        lua_rawseti(lua, 2, ++count);
    }
    sandbox_charge(lua, count * PAIRS_COST);
    if (!sorted) {
        lua_pushvalue(lua, lua_upvalueindex(1));
        lua_pushvalue(lua, 2);
        lua_pushcfunction(lua, library_key_less);
        lua_call(lua, 2, 0);
    }
    lua_pushinteger(lua, 0);
    lua_pushcclosure(lua, library_pairs_step, 2);
    lua_pushvalue(lua, 1);
    lua_pushnil(lua);
    return 3;
}

void library_open_order(lua_State *lua)
{
    lua_getfield(lua, -1, "table");
    lua_getfield(lua, -1, "sort");
    lua_remove(lua, -2);
    lua_pushcclosure(lua, library_pairs, 1);
    lua_setfield(lua, -2, "pairs");
    lua_pushcfunction(lua, library_next);
    lua_setfield(lua, -2, "next");
}
