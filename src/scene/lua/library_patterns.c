/* string.find, match, gmatch and gsub with our own matcher. */
#include <ctype.h>
#include <lauxlib.h>
#include <string.h>

#include "scene/lua/library.h"
#include "scene/lua/pattern.h"
#include "scene/lua/sandbox.h"

static void pattern_push_capture(matcher *m, int index, const char *start, const char *end)
{
    if (index >= m->level) {
        if (index != 0)
            luaL_error(m->lua, "invalid capture index %%%d", index + 1);
        lua_pushlstring(m->lua, start, (size_t)(end - start));
    } else if (m->captures[index].length == PATTERN_POSITION) {
        lua_pushinteger(m->lua, m->captures[index].start - m->text + 1);
    } else {
        if (m->captures[index].length == PATTERN_OPEN)
            luaL_error(m->lua, "unfinished capture");
        lua_pushlstring(m->lua, m->captures[index].start, (size_t)m->captures[index].length);
    }
}

/* Pushes all captures, or the whole match if there are none and `whole` is set. */
static int pattern_push_captures(matcher *m, const char *start, const char *end, bool whole)
{
    int count = m->level == 0 && whole ? 1 : m->level;
    luaL_checkstack(m->lua, count, "too many captures");
    for (int i = 0; i < count; i++)
        pattern_push_capture(m, i, start, end);
    return count;
}

static matcher pattern_begin(lua_State *lua, int text_index, int pattern_index)
{
    size_t text_length, pattern_length;
    matcher m = {.lua = lua};
    m.text = luaL_checklstring(lua, text_index, &text_length);
    m.text_end = m.text + text_length;
    m.pattern_end = luaL_checklstring(lua, pattern_index, &pattern_length) + pattern_length;
    return m;
}

/* The start position, from 0, that argument `index` gives. Negative arguments count from the end. The result may lie
   past the end of the text. */
static size_t pattern_start(lua_State *lua, int index, size_t length)
{
    lua_Integer at = luaL_optinteger(lua, index, 1);
    if (at > 0)
        return (size_t)at - 1;
    if (at == 0 || -at > (lua_Integer)length || at < -(lua_Integer)SANDBOX_STRING)
        return 0;
    return length - (size_t)-at;
}

static int pattern_find_plain(matcher *m, const char *s, const char *p)
{
    size_t length = (size_t)(m->pattern_end - p);
    for (; length <= (size_t)(m->text_end - s); s++) {
        pattern_step(m, length);
        if (!memcmp(s, p, length)) {
            lua_pushinteger(m->lua, s - m->text + 1);
            lua_pushinteger(m->lua, s - m->text + (lua_Integer)length);
            return 2;
        }
    }
    lua_pushnil(m->lua);
    return 1;
}

static int pattern_search(lua_State *lua, bool find)
{
    matcher m = pattern_begin(lua, 1, 2);
    const char *p = lua_tostring(lua, 2);
    size_t start = pattern_start(lua, 3, (size_t)(m.text_end - m.text));
    bool found = start <= (size_t)(m.text_end - m.text);
    const char *s = found ? m.text + start : m.text_end;
    if (found && find && lua_toboolean(lua, 4))
        return pattern_find_plain(&m, s, p);
    bool anchored = p < m.pattern_end && *p == '^';
    for (; found; s++) {
        m.level = m.depth = 0;
        const char *end = pattern_match(&m, s, p + anchored);
        if (end && find) {
            lua_pushinteger(lua, s - m.text + 1);
            lua_pushinteger(lua, end - m.text);
            return 2 + pattern_push_captures(&m, s, end, false);
        }
        if (end)
            return pattern_push_captures(&m, s, end, true);
        found = s < m.text_end && !anchored;
    }
    lua_pushnil(lua);
    return 1;
}

static int library_find(lua_State *lua)
{
    return pattern_search(lua, true);
}

static int library_match(lua_State *lua)
{
    return pattern_search(lua, false);
}

/* Upvalues: text, pattern, where to continue, where the last match ended (an empty match may not begin there). */
static int pattern_gmatch_step(lua_State *lua)
{
    lua_settop(lua, 0);
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_pushvalue(lua, lua_upvalueindex(2));
    matcher m = pattern_begin(lua, 1, 2);
    const char *p = lua_tostring(lua, 2), *last = m.text + lua_tointeger(lua, lua_upvalueindex(4));
    bool any = lua_tointeger(lua, lua_upvalueindex(4)) >= 0;
    for (const char *s = m.text + lua_tointeger(lua, lua_upvalueindex(3)); s <= m.text_end; s++) {
        m.level = m.depth = 0;
        const char *end = pattern_match(&m, s, p);
        if (end && !(any && end == last)) {
            lua_pushinteger(lua, end - m.text);
            lua_copy(lua, -1, lua_upvalueindex(3));
            lua_replace(lua, lua_upvalueindex(4));
            return pattern_push_captures(&m, s, end, true);
        }
    }
    return 0;
}

static int library_gmatch(lua_State *lua)
{
    luaL_checkstring(lua, 1);
    luaL_checkstring(lua, 2);
    lua_settop(lua, 2);
    lua_pushinteger(lua, 0);
    lua_pushinteger(lua, -1);
    lua_pushcclosure(lua, pattern_gmatch_step, 4);
    return 1;
}

/* Appends the replacement string (argument 3) with %0 … %9 expanded. */
static void pattern_add_text(matcher *m, luaL_Buffer *out, const char *s, const char *end)
{
    size_t length;
    const char *text = lua_tolstring(m->lua, 3, &length);
    for (size_t i = 0; i < length; i++) {
        pattern_step(m, 0);
        if (text[i] != '%') {
            luaL_addchar(out, text[i]);
        } else if (++i < length && text[i] == '%') {
            luaL_addchar(out, '%');
        } else if (i < length && text[i] == '0') {
            luaL_addlstring(out, s, (size_t)(end - s));
        } else if (i < length && isdigit((unsigned char)text[i])) {
            pattern_push_capture(m, text[i] - '1', s, end);
            luaL_tolstring(m->lua, -1, NULL);
            lua_remove(m->lua, -2);
            luaL_addvalue(out);
        } else {
            luaL_error(m->lua, "invalid use of '%%' in replacement string");
        }
    }
}

static void pattern_add_replacement(matcher *m, luaL_Buffer *out, const char *s, const char *end)
{
    lua_State *lua = m->lua;
    int type = lua_type(lua, 3);
    if (type == LUA_TSTRING || type == LUA_TNUMBER) {
        pattern_add_text(m, out, s, end);
        return;
    }
    if (type == LUA_TFUNCTION) {
        lua_pushvalue(lua, 3);
        lua_call(lua, pattern_push_captures(m, s, end, true), 1);
    } else {
        pattern_push_capture(m, 0, s, end);
        lua_gettable(lua, 3);
    }
    if (!lua_toboolean(lua, -1)) {
        lua_pop(lua, 1);
        luaL_addlstring(out, s, (size_t)(end - s));
    } else if (lua_isstring(lua, -1)) {
        luaL_addvalue(out);
    } else {
        luaL_error(lua, "invalid replacement value (a %s)", luaL_typename(lua, -1));
    }
}

static int library_gsub(lua_State *lua)
{
    matcher m = pattern_begin(lua, 1, 2);
    const char *p = lua_tostring(lua, 2), *s = m.text, *last = NULL;
    int type = lua_type(lua, 3);
    luaL_argexpected(lua, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
                     "string/function/table");
    lua_Integer most = luaL_optinteger(lua, 4, (lua_Integer)(m.text_end - m.text) + 1), count = 0;
    bool anchored = p < m.pattern_end && *p == '^';
    luaL_Buffer out;
    luaL_buffinit(lua, &out);
    while (count < most) {
        m.level = m.depth = 0;
        const char *end = pattern_match(&m, s, p + anchored);
        if (end && end != last) {
            count++;
            pattern_add_replacement(&m, &out, s, end);
            s = last = end;
        } else if (s < m.text_end) {
            luaL_addchar(&out, *s++);
        } else {
            break;
        }
        if (anchored)
            break;
    }
    luaL_addlstring(&out, s, (size_t)(m.text_end - s));
    luaL_pushresult(&out);
    lua_pushinteger(lua, count);
    return 2;
}

void library_open_patterns(lua_State *lua)
{
    static const luaL_Reg functions[] = {{"find", library_find},
                                         {"match", library_match},
                                         {"gmatch", library_gmatch},
                                         {"gsub", library_gsub},
                                         {NULL, NULL}};
    luaL_setfuncs(lua, functions, 0);
}
