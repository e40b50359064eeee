#include "scene/lua/library.h"

#include <lauxlib.h>
#include <lualib.h>
#include <string.h>

#include "scene/lua/sandbox.h"

static const char *const library_forbidden[] = {"io",     "os",        "debug",  "package",    "require",
                                                "load",   "loadfile",  "dofile", "loadstring", "collectgarbage",
                                                "xpcall", "coroutine", "utf8",   "warn"};
enum { FORBIDDEN = sizeof library_forbidden / sizeof *library_forbidden };

int library_original(lua_State *lua)
{
    return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

/* __index of the globals. Names that are not forbidden are nil if missing, as usual in Lua. */
static int library_missing_global(lua_State *lua)
{
    const char *name = lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : "";
    for (int i = 0; i < FORBIDDEN; i++)
        if (!strcmp(name, library_forbidden[i]))
            return luaL_error(lua,
                              "%s is not there: scenes run in a sandbox with math, string, table, basic functions and "
                              "Freshet's constructors only",
                              name);
    lua_pushnil(lua);
    return 1;
}

/* pcall that does not catch the sandbox's own errors. */
static int library_pcall(lua_State *lua)
{
    luaL_checkany(lua, 1);
    int status = lua_pcall(lua, lua_gettop(lua) - 1, LUA_MULTRET, 0);
    if (status == LUA_ERRMEM || sandbox_of(lua)->stopped)
        return lua_error(lua);
    luaL_checkstack(lua, 1, NULL);
    lua_pushboolean(lua, status == LUA_OK);
    lua_insert(lua, 1);
    return lua_gettop(lua);
}

/* Refuses finalizers (__gc): they would run outside of all limits. */
static int library_setmetatable(lua_State *lua)
{
    if (lua_istable(lua, 2)) {
        lua_pushliteral(lua, "__gc");
        if (lua_rawget(lua, 2) != LUA_TNIL)
            return luaL_error(lua, "__gc is not allowed: scenes run in a sandbox");
        lua_pop(lua, 1);
    }
    return library_original(lua);
}

/* string.rep, which would loop for ever with an empty string. */
static int library_rep(lua_State *lua)
{
    size_t length, between = 0;
    luaL_checklstring(lua, 1, &length);
    lua_Integer count = luaL_checkinteger(lua, 2);
    luaL_optlstring(lua, 3, "", &between);
    size_t each = length + between;
    if (count <= 0 || each == 0) {
        lua_pushliteral(lua, "");
        return 1;
    }
    if ((lua_Unsigned)count > SANDBOX_STRING / each)
        return luaL_error(lua, "string.rep would pass the limit of 16 MB for one string");
    sandbox_charge(lua, count);
    return library_original(lua);
}

static int library_random(lua_State *lua)
{
    uint64_t bits = sandbox_random(sandbox_of(lua));
    lua_Integer low = 1, high;
    switch (lua_gettop(lua)) {
    case 0:
        lua_pushnumber(lua, (lua_Number)(bits >> 11) * 0x1p-53);
        return 1;
    case 1:
        high = luaL_checkinteger(lua, 1);
        break;
    case 2:
        low = luaL_checkinteger(lua, 1);
        high = luaL_checkinteger(lua, 2);
        break;
    default:
        return luaL_error(lua, "math.random takes no, one or two numbers");
    }
    luaL_argcheck(lua, low <= high, lua_gettop(lua), "interval is empty");
    uint64_t range = (uint64_t)high - (uint64_t)low + 1;
    lua_pushinteger(lua, (lua_Integer)((uint64_t)low + (range ? bits % range : bits)));
    return 1;
}

static int library_randomseed(lua_State *lua)
{
    sandbox *box = sandbox_of(lua);
    double seed = luaL_optnumber(lua, 1, 1);
    memcpy(&box->random, &seed, sizeof seed);
    return 0;
}

/* Replaces the function `name` of the table on the top; the original becomes the new one's upvalue. */
static void library_wrap(lua_State *lua, const char *name, lua_CFunction function)
{
    lua_getfield(lua, -1, name);
    lua_pushcclosure(lua, function, 1);
    lua_setfield(lua, -2, name);
}

static void library_remove(lua_State *lua, const char *name)
{
    lua_pushnil(lua);
    lua_setfield(lua, -2, name);
}

static void library_open_globals(lua_State *lua)
{
    lua_pushglobaltable(lua);
    for (int i = 0; i < FORBIDDEN; i++)
        library_remove(lua, library_forbidden[i]);
    lua_pushcfunction(lua, library_pcall);
    lua_setfield(lua, -2, "pcall");
    library_wrap(lua, "setmetatable", library_setmetatable);
    library_open_order(lua);
    lua_createtable(lua, 0, 2);
    lua_pushcfunction(lua, library_missing_global);
    lua_setfield(lua, -2, "__index");
    lua_pushboolean(lua, 0);
    lua_setfield(lua, -2, "__metatable");
    lua_setmetatable(lua, -2);
    lua_pop(lua, 1);
}

void library_open(lua_State *lua)
{
    luaL_requiref(lua, "_G", luaopen_base, 1);
    lua_pop(lua, 1);
    luaL_requiref(lua, "math", luaopen_math, 1);
    lua_pushcfunction(lua, library_random);
    lua_setfield(lua, -2, "random");
    lua_pushcfunction(lua, library_randomseed);
    lua_setfield(lua, -2, "randomseed");
    lua_pop(lua, 1);
    luaL_requiref(lua, "string", luaopen_string, 1);
    library_remove(lua, "dump");
    library_wrap(lua, "rep", library_rep);
    library_open_patterns(lua);
    lua_pop(lua, 1);
    luaL_requiref(lua, "table", luaopen_table, 1);
    library_open_tables(lua);
    lua_pop(lua, 1);
    library_open_globals(lua);
    library_open_text(lua);
}
