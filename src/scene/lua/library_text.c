/* tostring, string.format and print. Lua's own versions print addresses of tables and functions, which differ from run
   to run. Here these values are numbered in the order in which they are first printed. */
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "scene/lua/library.h"
#include "scene/lua/sandbox.h"

enum { PRINT_COST = 1000, PRINT_MOST = 1 << 20, PRINT_LINE = 2048, PRINT_STAMP = 24 };

/* Its address is the registry key of a weak table: printed value → its number. */
static const char text_numbers = 0;

static lua_Integer text_number(lua_State *lua, int index)
{
    index = lua_absindex(lua, index);
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &text_numbers);
    lua_pushvalue(lua, index);
    if (lua_rawget(lua, -2) == LUA_TNIL) {
        lua_pop(lua, 1);
        lua_pushvalue(lua, index);
        lua_pushinteger(lua, ++sandbox_of(lua)->named);
        lua_rawset(lua, -3);
        lua_pushinteger(lua, sandbox_of(lua)->named);
    }
    lua_Integer number = lua_tointeger(lua, -1);
    lua_pop(lua, 2);
    return number;
}

/* Pushes "0x00000003" instead of an address. */
static void text_push_address(lua_State *lua, int index)
{
    char digits[24];
    snprintf(digits, sizeof digits, "0x%08llx", (unsigned long long)text_number(lua, index));
    lua_pushstring(lua, digits);
}

static bool text_has_address(lua_State *lua, int index)
{
    int type = lua_type(lua, index);
    return type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA;
}

/* Like luaL_tolstring: pushes a value as text, using __tostring and __name. */
static void text_push(lua_State *lua, int index)
{
    index = lua_absindex(lua, index);
    bool named = luaL_getmetafield(lua, index, "__tostring") != LUA_TNIL;
    lua_pop(lua, named);
    if (named || !text_has_address(lua, index)) {
        luaL_tolstring(lua, index, NULL);
        return;
    }
    int kind = luaL_getmetafield(lua, index, "__name");
    if (kind != LUA_TSTRING) {
        lua_pop(lua, kind != LUA_TNIL);
        lua_pushstring(lua, luaL_typename(lua, index));
    }
    lua_pushliteral(lua, ": ");
    text_push_address(lua, index);
    lua_concat(lua, 3);
}

static int library_tostring(lua_State *lua)
{
    luaL_checkany(lua, 1);
    text_push(lua, 1);
    return 1;
}

/* Replaces argument `index` by its text: for %s if it would print an address, for %p always. */
static void text_settle(lua_State *lua, char conversion, int index)
{
    bool address = text_has_address(lua, index) || (conversion == 'p' && lua_type(lua, index) == LUA_TSTRING);
    if (conversion == 'p' && address)
        text_push_address(lua, index);
    else if (conversion == 'p')
        lua_pushliteral(lua, "(null)");
    else if (conversion == 's' && address)
        text_push(lua, index);
    else
        return;
    lua_replace(lua, index);
}

/* string.format with %p replaced by %s. The original is the upvalue. */
static int library_format(lua_State *lua)
{
    size_t length;
    const char *format = luaL_checklstring(lua, 1, &length);
    int count = lua_gettop(lua), index = 1;
    luaL_checkstack(lua, 8, NULL);
    luaL_Buffer changed;
    char *copy = luaL_buffinitsize(lua, &changed, length + 1);
    memcpy(copy, format, length + 1);
    for (char *at = copy; at < copy + length; at++) {
        if (*at != '%')
            continue;
        at += 1 + strspn(at + 1, "-+ #0123456789.");
        if (*at != '%' && ++index <= count)
            text_settle(lua, *at, index);
        if (*at == 'p')
            *at = 's';
    }
    luaL_pushresultsize(&changed, length);
    lua_replace(lua, 1);
    lua_settop(lua, count);
    return library_original(lua);
}

/* Whether `bytes` more may be printed. When the limit is reached, prints a last line that says so. */
static bool text_may_print(sandbox *box, size_t bytes)
{
    if (box->printed > PRINT_MOST)
        return false;
    box->printed += (bytes < PRINT_LINE ? bytes : PRINT_LINE) + PRINT_STAMP;
    if (box->printed <= PRINT_MOST)
        return true;
    fr_log(FR_LOG_INFO,
           "… further output of the scene is left out: the limit is 1 MB while loading and 1 MB afterwards");
    return false;
}

static int library_print(lua_State *lua)
{
    int count = lua_gettop(lua);
    luaL_Buffer text;
    luaL_buffinit(lua, &text);
    for (int i = 1; i <= count; i++) {
        if (i > 1)
            luaL_addchar(&text, ' ');
        text_push(lua, i);
        luaL_addvalue(&text);
    }
    luaL_pushresult(&text);
    sandbox_charge(lua, PRINT_COST);
    size_t length;
    const char *line = lua_tolstring(lua, -1, &length);
    sandbox *box = sandbox_of(lua);
    guard_shield(box->guard);
    if (text_may_print(box, length))
        fr_log(FR_LOG_INFO, "%s", line);
    guard_unshield(box->guard);
    return 0;
}

void library_open_text(lua_State *lua)
{
    lua_newtable(lua);
    lua_createtable(lua, 0, 1);
    lua_pushliteral(lua, "k");
    lua_setfield(lua, -2, "__mode");
    lua_setmetatable(lua, -2);
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &text_numbers);
    lua_pushcfunction(lua, library_tostring);
    lua_setglobal(lua, "tostring");
    lua_pushcfunction(lua, library_print);
    lua_setglobal(lua, "print");
    lua_getglobal(lua, "string");
    lua_getfield(lua, -1, "format");
    lua_pushcclosure(lua, library_format, 1);
    lua_setfield(lua, -2, "format");
    lua_pop(lua, 1);
}
