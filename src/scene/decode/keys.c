/* Decoding by keys: current key, failures, tables, lists. */
#include <lauxlib.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <freshet/fields.h>
#include <freshet/method.h>

#include "scene/lua/constructors.h"
#include "scene/decode/decode.h"
#include "scene/decode/suggest.h"

enum { MOST_ELEMENTS = 100000, MOST_ALTOGETHER = 2000000 };

fr_result decode_fail(decoder *d, const char *format, ...)
{
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return fr_fail_key(d->key, "%s", message);
}

/* Describes the value for messages: "the string "long"", "sphere{…}", "a table". */
static void decode_describe(decoder *d, char *text, size_t size)
{
    const char *made = constructor_of(d->lua, -1, NULL);
    if (made)
        snprintf(text, size, "%s{…}", made);
    else if (lua_type(d->lua, -1) == LUA_TSTRING)
        snprintf(text, size, "the string \"%.40s\"", lua_tostring(d->lua, -1));
    else if (lua_type(d->lua, -1) == LUA_TNUMBER)
        snprintf(text, size, "%.10g", lua_tonumber(d->lua, -1));
    else if (lua_type(d->lua, -1) == LUA_TBOOLEAN)
        snprintf(text, size, "%s", lua_toboolean(d->lua, -1) ? "true" : "false");
    else
        snprintf(text, size, "%s",
                 lua_isnil(d->lua, -1)     ? "nothing"
                 : lua_istable(d->lua, -1) ? "a table"
                                           : "a function");
}

fr_result decode_fail_type(decoder *d, const char *wanted)
{
    char found[96];
    decode_describe(d, found, sizeof found);
    return decode_fail(d, "%s must be %s, found %s", d->key[0] ? d->key : "the scene", wanted, found);
}

fr_result decode_fail_unbuilt(decoder *d, const char *what)
{
    decode_fail(
        d,
        "%s is not built yet; this version knows method = \"smoke\", \"liquid\", \"sph\" and \"river\" and what "
        "belongs to them",
        what);
    return FR_ERROR_UNSUPPORTED;
}

size_t decode_enter(decoder *d, const char *name)
{
    size_t length = strlen(d->key);
    snprintf(d->key + length, sizeof d->key - length, "%s%.64s", length ? "." : "", name);
    return length;
}

size_t decode_enter_index(decoder *d, int index)
{
    size_t length = strlen(d->key);
    snprintf(d->key + length, sizeof d->key - length, "[%d]", index);
    return length;
}

void decode_leave(decoder *d, size_t length)
{
    d->key[length] = '\0';
}

bool decode_has(decoder *d, const char *name)
{
    lua_pushstring(d->lua, name);
    bool has = lua_rawget(d->lua, -2) != LUA_TNIL;
    lua_pop(d->lua, 1);
    return has;
}

bool decode_next(decoder *d)
{
    sandbox_charge(d->lua, 1);
    return lua_next(d->lua, -2);
}

fr_result decode_expect(decoder *d, const char *constructor)
{
    int line = 0;
    const char *made = constructor_of(d->lua, -1, &line);
    if (made)
        lines_add_call(d->lines, d->key, line);
    if (made && !strcmp(made, constructor))
        return FR_OK;
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%s{…}", constructor);
    return decode_fail_type(d, wanted);
}

static bool decode_knows(decoder *d, const key_set *set, const char *name)
{
    for (const key *k = set->keys; k->name; k++)
        if (!strcmp(k->name, name))
            return true;
    const char *scalar;
    for (int i = 0; set->scalars && (scalar = decode_scalar_name(d, i)); i++)
        if (!strcmp(scalar, name))
            return true;
    return false;
}

static fr_result decode_fail_unknown(decoder *d, const key_set *set, const char *name)
{
    suggestion best = suggest_begin(name);
    for (const key *k = set->keys; k->name; k++)
        suggest_offer(&best, k->name);
    const char *scalar;
    for (int i = 0; set->scalars && (scalar = decode_scalar_name(d, i)); i++)
        suggest_offer(&best, scalar);
    char hint[128];
    suggest_text(&best, hint, sizeof hint);
    const char *scalars_key = fr_method_describe(d->def->method)->scalars_key;
    if (set->scalars && !hint[0])
        snprintf(hint, sizeof hint, "; a scalar of that name would be declared with %s = { %.40s = {} }",
                 scalars_key ? scalars_key : "scalars", name);
    size_t outer = decode_enter(d, name);
    fr_result result = decode_fail(d, "unknown key '%.64s' in %s%s", name, set->what, hint);
    decode_leave(d, outer);
    return result;
}

/* Fails about the alphabetically first unknown key, because Lua's own order changes from run to run. */
static fr_result decode_check_known(decoder *d, const key_set *set)
{
    const char *unknown = NULL;
    for (lua_pushnil(d->lua); decode_next(d); lua_pop(d->lua, 1)) {
        bool item = lua_type(d->lua, -2) == LUA_TNUMBER;
        if (lua_type(d->lua, -2) == LUA_TSTRING) {
            const char *name = lua_tostring(d->lua, -2);
            if (!decode_knows(d, set, name) && (!unknown || strcmp(name, unknown) < 0))
                unknown = name;
        } else if (!item || !set->items) {
            lua_pop(d->lua, 2);
            return decode_fail(d, "%s has an entry without a name; write name = value", set->what);
        }
    }
    return unknown ? decode_fail_unknown(d, set, unknown) : FR_OK;
}

fr_result decode_keys(decoder *d, const key_set *set, void *target)
{
    if (!lua_istable(d->lua, -1))
        return decode_fail_type(d, "a table");
    luaL_checkstack(d->lua, 8, "nested too deeply");
    sandbox_charge(d->lua, 1);
    FR_TRY(decode_check_known(d, set));
    for (const key *k = set->keys; k->name; k++) {
        lua_pushstring(d->lua, k->name);
        if (lua_rawget(d->lua, -2) != LUA_TNIL) {
            size_t outer = decode_enter(d, k->name);
            FR_TRY(k->decode(d, k, (char *)target + k->offset));
            decode_leave(d, outer);
        }
        lua_pop(d->lua, 1);
    }
    return FR_OK;
}

fr_result value_keys(decoder *d, const key *key, void *target)
{
    return decode_keys(d, key->detail, target);
}

fr_result value_known(decoder *d, const key *key, void *target)
{
    (void)d;
    (void)key;
    (void)target;
    return FR_OK;
}

fr_result value_unbuilt(decoder *d, const key *key, void *target)
{
    (void)target;
    return decode_fail_unbuilt(d, key->detail ? key->detail : d->key);
}

/* The length of a list: a table with the entries 1 … n and no others. */
static fr_result decode_list_length(decoder *d, const list_spec *spec, int *count)
{
    char wanted[128];
    snprintf(wanted, sizeof wanted, "a list such as { %s }", spec->example);
    if (!lua_istable(d->lua, -1) || constructor_of(d->lua, -1, NULL))
        return decode_fail_type(d, wanted);
    lua_Unsigned length = lua_rawlen(d->lua, -1), entries = 0;
    for (lua_pushnil(d->lua); decode_next(d); lua_pop(d->lua, 1))
        entries += 1;
    for (lua_Unsigned i = 1; i <= length && entries == length; i++) {
        if (lua_rawgeti(d->lua, -1, (lua_Integer)i) == LUA_TNIL)
            entries++;
        lua_pop(d->lua, 1);
    }
    if (entries != length)
        return decode_fail(d, "%s must be %s, without gaps or names", d->key, wanted);
    if (length > MOST_ELEMENTS)
        return decode_fail(d, "%s has %llu elements; the limit is %d", d->key, (unsigned long long)length,
                           MOST_ELEMENTS);
    d->elements += (int)length;
    if (d->elements > MOST_ALTOGETHER)
        return decode_fail(
            d, "the scene's lists have more elements than the limit of %d in all; is a long one used many times?",
            MOST_ALTOGETHER);
    *count = (int)length;
    return FR_OK;
}

fr_result decode_list(decoder *d, const list_spec *spec, void *array_target, int *count)
{
    int length = 0;
    luaL_checkstack(d->lua, 8, "nested too deeply");
    FR_TRY(decode_list_length(d, spec, &length));
    char *array = arena_alloc(d->arena, spec->size * (size_t)(length ? length : 1));
    if (!array)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < length; i++) {
        sandbox_charge(d->lua, 1);
        lua_rawgeti(d->lua, -1, i + 1);
        size_t outer = decode_enter_index(d, i + 1);
        FR_TRY(spec->decode(d, NULL, array + spec->size * (size_t)i));
        decode_leave(d, outer);
        lua_pop(d->lua, 1);
    }
    memcpy(array_target, &array, sizeof array);
    *count = length;
    return FR_OK;
}

static const char *decode_known_scalar(int index)
{
    const fr_field_info *fields;
    int count = fr_fields(&fields);
    for (int i = 0; i < count; i++)
        if (fields[i].is_scalar && index-- == 0)
            return fields[i].name;
    return NULL;
}

/* The scalars that scenes need not declare. A method without scalars accepts all known names here; its own check then
   refuses them with a better message. */
static const char *decode_own_scalar(const decoder *d, int index)
{
    const fr_method_info *method = fr_method_describe(d->def->method);
    int i = 0;
    if (!method->scalars_key)
        return decode_known_scalar(index);
    while (i < index && method->scalars[i])
        i++;
    return method->scalars[i];
}

static bool decode_is_own_scalar(const decoder *d, const char *name)
{
    const char *own;
    for (int i = 0; (own = decode_own_scalar(d, i)); i++)
        if (!strcmp(own, name))
            return true;
    return false;
}

const char *decode_scalar_name(const decoder *d, int index)
{
    const char *own;
    for (int i = 0; (own = decode_own_scalar(d, i)); i++)
        if (index-- == 0)
            return own;
    for (int i = 0; i < d->def->scalar_count; i++)
        if (!decode_is_own_scalar(d, d->def->scalars[i].name) && index-- == 0)
            return d->def->scalars[i].name;
    return NULL;
}

fr_result decode_scalar_values(decoder *d, const fr_scalar_value **values, int *count)
{
    const char *name;
    int known = 0;
    while (decode_scalar_name(d, known))
        known++;
    fr_scalar_value *list = ARENA_NEW(d->arena, fr_scalar_value, known);
    if (!list)
        return FR_ERROR_MEMORY;
    *values = list;
    *count = 0;
    for (int i = 0; (name = decode_scalar_name(d, i)); i++) {
        if (!decode_has(d, name))
            continue;
        lua_pushstring(d->lua, name);
        lua_rawget(d->lua, -2);
        size_t outer = decode_enter(d, name);
        FR_TRY(value_varying(d, NULL, &list[*count].value));
        decode_leave(d, outer);
        lua_pop(d->lua, 1);
        list[(*count)++].name = name;
    }
    return FR_OK;
}
