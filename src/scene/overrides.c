#include "scene/overrides.h"

#include <freshet/method.h>

#include <ctype.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_LENGTH = 256, PART_LENGTH = 64 };

static fr_result override_fail(const override *o, const char *what)
{
    return fr_fail(FR_ERROR_INPUT, "%s: %s", o->given, what);
}

static const char *override_skip_space(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* Pushes one value from [at, end): a number, true, false, a quoted or a bare word. */
static void override_push_scalar(lua_State *lua, const char *at, const char *end)
{
    at = override_skip_space(at);
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    size_t length = (size_t)(end > at ? end - at : 0);
    const char *text = lua_pushlstring(lua, at, length);
    bool quoted = length >= 2 && (*text == '"' || *text == '\'') && text[length - 1] == *text;
    if (quoted)
        lua_pushlstring(lua, text + 1, length - 2);
    else if (!strcmp(text, "true") || !strcmp(text, "false"))
        lua_pushboolean(lua, *text == 't');
    else if (length == 0 || lua_stringtonumber(lua, text) == 0)
        lua_pushvalue(lua, -1);
    lua_remove(lua, -2);
}

/* Pushes a value or a list {1, 2, 3}. */
static void override_push_value(lua_State *lua, const char *text)
{
    text = override_skip_space(text);
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    if (length < 2 || text[0] != '{' || text[length - 1] != '}') {
        override_push_scalar(lua, text, text + length);
        return;
    }
    const char *at = text + 1, *end = text + length - 1;
    lua_newtable(lua);
    for (lua_Integer i = 1; at < end; i++) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        override_push_scalar(lua, at, comma ? comma : end);
        lua_rawseti(lua, -2, i);
        at = comma ? comma + 1 : end;
    }
}

/* Pushes the next part of a key ("name", ".name", "[3]" or ".3") and appends it to `key` as messages write it. */
static bool override_next_part(lua_State *lua, const char **at, char *key)
{
    char part[PART_LENGTH];
    const char *s = *at;
    bool bracket = *s == '[';
    if (bracket || (*s == '.' && key[0]))
        s++;
    size_t length = 0;
    while ((isalnum((unsigned char)s[length]) || s[length] == '_') && length < PART_LENGTH - 1)
        length++;
    if (length == 0 || (bracket && s[length] != ']'))
        return false;
    memcpy(part, s, length);
    part[length] = '\0';
    *at = s + length + bracket;
    bool index = strspn(part, "0123456789") == length && length < 9;
    size_t used = strlen(key);
    if (index) {
        snprintf(key + used, KEY_LENGTH - used, "[%d]", atoi(part));
        lua_pushinteger(lua, atoi(part));
    } else {
        snprintf(key + used, KEY_LENGTH - used, "%s%s", used ? "." : "", part);
        lua_pushstring(lua, part);
    }
    return index || !bracket;
}

/* With a table and a key on the stack: replaces them by the table at that key. Creates it if the key is a name. */
static fr_result override_step_into(lua_State *lua, const override *o, bool *made)
{
    bool index = lua_isinteger(lua, -1);
    lua_pushvalue(lua, -1);
    lua_rawget(lua, -3);
    *made = lua_isnil(lua, -1) && !index;
    if (*made) {
        lua_pop(lua, 1);
        lua_newtable(lua);
        lua_pushvalue(lua, -2);
        lua_pushvalue(lua, -2);
        lua_rawset(lua, -5);
    }
    if (lua_isnil(lua, -1))
        return override_fail(o, "the scene has no such entry in that list");
    if (!lua_istable(lua, -1))
        return override_fail(o, "what comes before the last part of the key is not a table in this scene");
    lua_replace(lua, -3);
    lua_pop(lua, 1);
    return FR_OK;
}

/* Applies "a.b[2].c=value" to the table on the top of the stack, which stays there. */
static fr_result override_apply_one(lua_State *lua, arena *arena, const char *text, override *o)
{
    char key[KEY_LENGTH] = "", changed[KEY_LENGTH] = "";
    const char *equals = strchr(text, '='), *at = text, *end = equals;
    o->given = arena_printf(arena, "--set %s", text);
    if (!o->given)
        return FR_ERROR_MEMORY;
    if (!equals || equals == text)
        return override_fail(o, "write it as key=value, for example time.duration=2");
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    luaL_checkstack(lua, 8, NULL);
    lua_pushvalue(lua, -1);
    for (bool made = false;;) {
        if (!override_next_part(lua, &at, key))
            return override_fail(o, "the key is not well formed; write it like time.duration or sources[1].rate");
        if (at >= end)
            break;
        FR_TRY(override_step_into(lua, o, &made));
        if (made && !changed[0])
            memcpy(changed, key, sizeof key);
    }
    lua_pushvalue(lua, -1);
    if (lua_isinteger(lua, -1) && lua_rawget(lua, -3) == LUA_TNIL)
        return override_fail(o, "the scene has no such entry in that list");
    lua_pop(lua, 1);
    override_push_value(lua, equals + 1);
    lua_rawset(lua, -3);
    lua_pop(lua, 1);
    o->key = arena_strdup(arena, changed[0] ? changed : key);
    return o->key ? FR_OK : FR_ERROR_MEMORY;
}

/* The method that the scene names; NULL if there is none, which the decoder will report. */
static const fr_method_info *override_method(lua_State *lua)
{
    fr_method method;
    lua_pushliteral(lua, "method");
    bool known = lua_rawget(lua, -2) == LUA_TSTRING && fr_method_find(lua_tostring(lua, -1), &method);
    lua_pop(lua, 1);
    return known ? fr_method_describe(method) : NULL;
}

/* The largest number in domain.size; 0 if there is none, which the decoder will report. */
static double override_longest_side(lua_State *lua)
{
    double longest = 0;
    int top = lua_gettop(lua);
    lua_pushliteral(lua, "domain");
    if (lua_rawget(lua, -2) == LUA_TTABLE) {
        lua_pushliteral(lua, "size");
        if (lua_rawget(lua, -2) == LUA_TTABLE)
            for (lua_Integer i = 1; i <= 3; i++) {
                if (lua_rawgeti(lua, top + 2, i) == LUA_TNUMBER && lua_tonumber(lua, -1) > longest)
                    longest = lua_tonumber(lua, -1);
                lua_pop(lua, 1);
            }
    }
    lua_settop(lua, top);
    return longest;
}

/* Sets table.name; creates the table if it is missing. If it is not a table, the decoder will report it. */
static void override_set_number(lua_State *lua, const char *table, const char *name, double value)
{
    lua_pushstring(lua, table);
    if (lua_rawget(lua, -2) == LUA_TNIL) {
        lua_pop(lua, 1);
        lua_newtable(lua);
        lua_pushstring(lua, table);
        lua_pushvalue(lua, -2);
        lua_rawset(lua, -4);
    }
    if (lua_istable(lua, -1)) {
        lua_pushstring(lua, name);
        lua_pushnumber(lua, value);
        lua_rawset(lua, -3);
    }
    lua_pop(lua, 1);
}

/* The entry of table.name if `table` is the method's own; else NULL. */
static const fr_key *override_own_key(const fr_method_info *info, const char *table, const char *name)
{
    if (strcmp(info->name, table))
        return NULL;
    const fr_key *key = info->keys;
    while (key->name && strcmp(key->name, name))
        key++;
    return key->name ? key : NULL;
}

/* --res N sets the method's resolution key: domain.cells to N, a length in the method's own table (sph.spacing) to the
   longest side / N. The decoder applies it to river.cells, because blocks are given in the cells that the scene
   writes. */
static void override_set_resolution(lua_State *lua, const fr_method_info *info, int res)
{
    char table[PART_LENGTH];
    double longest = override_longest_side(lua);
    const char *dot = strchr(info->resolution_key, '.');
    snprintf(table, sizeof table, "%.*s", (int)(dot - info->resolution_key), info->resolution_key);
    const fr_key *own = override_own_key(info, table, dot + 1);
    if (longest > 0 && !(own && own->type == FR_KEY_CELLS))
        override_set_number(lua, table, dot + 1, own ? longest / res : res);
}

static fr_result override_apply_res(lua_State *lua, arena *arena, int res, override_list *list)
{
    luaL_checkstack(lua, 8, NULL);
    const fr_method_info *info = override_method(lua);
    if (!info)
        return FR_OK;
    override *o = &list->items[list->count++];
    *o = (override){.key = info->resolution_key, .given = arena_printf(arena, "--res %d", res)};
    if (!o->given)
        return FR_ERROR_MEMORY;
    override_set_resolution(lua, info, res);
    return FR_OK;
}

fr_result overrides_apply(lua_State *lua, arena *arena, const fr_scene_options *options, override_list *list)
{
    if (!options || !lua_istable(lua, -1))
        return FR_OK;
    list->items = ARENA_NEW(arena, override, options->set_count + 1);
    if (!list->items)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < options->set_count; i++) {
        FR_TRY(override_apply_one(lua, arena, options->set[i], &list->items[i]));
        list->count++;
    }
    if (options->res != 0)
        return override_apply_res(lua, arena, options->res, list);
    return FR_OK;
}

const override *overrides_find(const override_list *list, const char *key)
{
    for (int i = list->count - 1; i >= 0; i--) {
        size_t length = strlen(list->items[i].key);
        bool within = !strncmp(key, list->items[i].key, length) &&
                      (key[length] == '\0' || key[length] == '.' || key[length] == '[');
        if (within)
            return &list->items[i];
    }
    return NULL;
}
