/* Decoders of single values: numbers, words, files, points, colours, numbers or functions. */
#define _POSIX_C_SOURCE 200809L
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <freshet/fields.h>
#include <freshet/method.h>

#include "base/colour_names.h"
#include "scene/decode/decode.h"
#include "scene/decode/suggest.h"
#include "scene/lua/constructors.h"
#include "scene/lua/functions.h"

enum { MOST_LETTERS = 4096 }; /* the longest path */

static fr_result value_wants(decoder *d, const key *key, const char *what)
{
    char wanted[96];
    bool unit = key && key->unit;
    snprintf(wanted, sizeof wanted, "%s%s%s%s", what, unit ? " (" : "", unit ? key->unit : "", unit ? ")" : "");
    return decode_fail_type(d, wanted);
}

static fr_result value_finite(decoder *d, const key *key, double *value)
{
    if (lua_type(d->lua, -1) != LUA_TNUMBER)
        return value_wants(d, key, "a number");
    *value = lua_tonumber(d->lua, -1);
    return isfinite(*value) ? FR_OK : value_wants(d, key, "a finite number");
}

fr_result value_number(decoder *d, const key *key, void *target)
{
    return value_finite(d, key, target);
}

fr_result value_positive(decoder *d, const key *key, void *target)
{
    double *value = target;
    FR_TRY(value_finite(d, key, value));
    return *value > 0 ? FR_OK : value_wants(d, key, "a positive number");
}

fr_result value_end(decoder *d, const key *key, void *target)
{
    double *value = target;
    FR_TRY(value_finite(d, key, value));
    if (*value > 0)
        return FR_OK;
    return decode_fail(d,
                       "%s must be a time after the start (s), not %g: what ends there never works; leave it out "
                       "and it works for ever",
                       d->key, *value);
}

fr_result value_not_negative(decoder *d, const key *key, void *target)
{
    double *value = target;
    FR_TRY(value_finite(d, key, value));
    return *value >= 0 ? FR_OK : value_wants(d, key, "zero or a positive number");
}

fr_result value_integer(decoder *d, const key *key, void *target)
{
    double value = 0;
    FR_TRY(value_finite(d, key, &value));
    if (value != floor(value) || fabs(value) > INT_MAX)
        return value_wants(d, key, "a whole number");
    *(int *)target = (int)value;
    return FR_OK;
}

fr_result value_bool(decoder *d, const key *key, void *target)
{
    if (!lua_isboolean(d->lua, -1))
        return value_wants(d, key, "true or false");
    *(bool *)target = lua_toboolean(d->lua, -1);
    return FR_OK;
}

fr_result value_string(decoder *d, const key *key, void *target)
{
    size_t length;
    if (lua_type(d->lua, -1) != LUA_TSTRING)
        return value_wants(d, key, "a string");
    const char *text = lua_tolstring(d->lua, -1, &length);
    if (length == 0 || strlen(text) != length)
        return decode_fail(d, "%s must be a string with text in it", d->key);
    if (length > MOST_LETTERS)
        return decode_fail(d, "%s has %zu letters; the limit is %d", d->key, length, MOST_LETTERS);
    char *copy = arena_strdup(d->arena, text);
    *(const char **)target = copy;
    return copy ? FR_OK : FR_ERROR_MEMORY;
}

fr_result value_file(decoder *d, const key *key, void *target)
{
    const char *name = NULL, **file = target;
    FR_TRY(value_string(d, key, &name));
    *file = inputs_take(d->inputs, d->arena, name);
    if (!*file)
        return d->inputs->count == INPUTS_MOST
                   ? decode_fail(d, "%s: the scene names more than %d files", d->key, INPUTS_MOST)
                   : FR_ERROR_MEMORY;
    if (access(*file, R_OK))
        return decode_fail(d, "%s: cannot read '%s'; files are looked for from the scene's own folder", d->key, *file);
    return FR_OK;
}

/* Fails with "must be "linear" or "maccormack"" and the nearest choice if the value is a word. */
static fr_result value_no_choice(decoder *d, const choice *choices)
{
    char wanted[256] = "";
    bool word = lua_type(d->lua, -1) == LUA_TSTRING;
    suggestion best = suggest_begin(word ? lua_tostring(d->lua, -1) : "");
    for (const choice *c = choices; c->name && c->value != CHOICE_UNBUILT; c++) {
        size_t used = strlen(wanted);
        const char *joint = c == choices ? "" : c[1].name && c[1].value != CHOICE_UNBUILT ? ", " : " or ";
        snprintf(wanted + used, sizeof wanted - used, "%s\"%s\"", joint, c->name);
        suggest_offer(&best, c->name);
    }
    if (!word)
        return decode_fail_type(d, wanted);
    char hint[128];
    suggest_text(&best, hint, sizeof hint);
    return decode_fail(d, "%s must be %s, found \"%.40s\"%s", d->key, wanted, lua_tostring(d->lua, -1), hint);
}

fr_result value_choice(decoder *d, const key *key, void *target)
{
    const choice *choices = key->detail;
    const char *word = lua_type(d->lua, -1) == LUA_TSTRING ? lua_tostring(d->lua, -1) : "";
    for (const choice *c = choices; c->name; c++) {
        if (strcmp(c->name, word))
            continue;
        char what[128];
        snprintf(what, sizeof what, "%.64s = \"%s\"", d->key, word);
        if (c->value == CHOICE_UNBUILT)
            return decode_fail_unbuilt(d, what);
        *(int *)target = c->value;
        return FR_OK;
    }
    return value_no_choice(d, choices);
}

fr_result decode_numbers(decoder *d, const number_list *list, double *values, int *found)
{
    if (!lua_istable(d->lua, -1) || constructor_of(d->lua, -1, NULL))
        return decode_fail_type(d, list->wanted);
    lua_Unsigned length = lua_rawlen(d->lua, -1), entries = 0;
    for (lua_pushnil(d->lua); decode_next(d); lua_pop(d->lua, 1))
        entries++;
    if (entries != length || length < (lua_Unsigned)list->least || length > (lua_Unsigned)list->most)
        return decode_fail(d, "%s must be %s, found a table with %llu %s", d->key, list->wanted,
                           (unsigned long long)entries, entries == 1 ? "entry" : "entries");
    for (int i = 0; i < (int)length; i++) {
        lua_rawgeti(d->lua, -1, i + 1);
        size_t outer = decode_enter_index(d, i + 1);
        FR_TRY(value_finite(d, NULL, &values[i]));
        decode_leave(d, outer);
        lua_pop(d->lua, 1);
    }
    *found = (int)length;
    return FR_OK;
}

/* In 2D a third number is allowed if it is 0. */
static fr_result value_point_numbers(decoder *d, const char *wanted, double *values)
{
    int dims = d->def->domain.dims, found;
    double numbers[3] = {0};
    number_list list = {dims, 3, wanted};
    FR_TRY(decode_numbers(d, &list, numbers, &found));
    if (found > dims && numbers[2] != 0)
        return decode_fail(d, "%s has a third component in a 2D scene; leave it out or make it 0", d->key);
    memcpy(values, numbers, sizeof numbers);
    return FR_OK;
}

fr_result value_point(decoder *d, const key *key, void *target)
{
    char wanted[96];
    bool unit = key && key->unit;
    snprintf(wanted, sizeof wanted, "a list of %s numbers%s%s%s", d->def->domain.dims == 2 ? "two" : "three",
             unit ? " (" : "", unit ? key->unit : "", unit ? ")" : "");
    return value_point_numbers(d, wanted, target);
}

fr_result value_varying(decoder *d, const key *key, void *target)
{
    fr_number *number = target;
    if (lua_isfunction(d->lua, -1))
        return functions_number(d, number);
    if (lua_type(d->lua, -1) != LUA_TNUMBER)
        return value_wants(d, key, "a number or a function(x, y, z, t)");
    return value_finite(d, key, &number->value);
}

fr_result value_varying_vector(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_vector *vector = target;
    if (lua_isfunction(d->lua, -1))
        return functions_vector(d, vector);
    return value_point_numbers(d,
                               d->def->domain.dims == 2 ? "a list of two numbers or a function(x, y, z, t)"
                                                        : "a list of three numbers or a function(x, y, z, t)",
                               vector->value);
}

fr_result value_axis(decoder *d, const key *key_of_axis, void *target)
{
    (void)key_of_axis;
    static const choice axes[] = {{"x", 0}, {"y", 1}, {"z", 2}, {NULL, 0}};
    const key with_axes = {.detail = axes};
    return value_choice(d, &with_axes, target);
}

/* 3D: {ax, ay, az, degrees}; 2D: degrees, {degrees}, or the same. */
fr_result value_rotation(decoder *d, const key *key, void *target)
{
    fr_placed_shape *placed = target;
    bool flat = d->def->domain.dims == 2;
    placed->axis[0] = placed->axis[1] = 0;
    placed->axis[2] = 1;
    if (flat && lua_type(d->lua, -1) == LUA_TNUMBER)
        return value_finite(d, key, &placed->degrees);
    int found;
    double numbers[4];
    number_list list = {flat ? 1 : 4, 4, flat ? "a number of degrees" : "an axis and degrees: {0, 1, 0, 45}"};
    FR_TRY(decode_numbers(d, &list, numbers, &found));
    placed->degrees = numbers[found - 1];
    if (found == 1)
        return FR_OK;
    memcpy(placed->axis, numbers, sizeof placed->axis);
    bool along_z = numbers[0] == 0 && numbers[1] == 0;
    if (found != 4 || (flat && !along_z) || (along_z && numbers[2] == 0))
        return decode_fail(d, "%s must be %s", d->key,
                           flat ? "a number of degrees; a 2D scene turns about z only"
                                : "an axis that is not zero, and degrees: {0, 1, 0, 45}");
    return FR_OK;
}

static fr_result value_colour_word(decoder *d, const char *word, double *colour)
{
    unsigned red, green, blue;
    char rest;
    if (strlen(word) == 7 && strspn(word + 1, "0123456789abcdefABCDEF") == 6 &&
        sscanf(word, "#%2x%2x%2x%c", &red, &green, &blue, &rest) == 3) {
        colour[0] = red / 255.0;
        colour[1] = green / 255.0;
        colour[2] = blue / 255.0;
        return FR_OK;
    }
    const double *named = colour_named(word);
    if (named) {
        memcpy(colour, named, 3 * sizeof *named);
        return FR_OK;
    }
    suggestion best = suggest_begin(word);
    for (const colour_name *c = colour_names; c->name; c++)
        suggest_offer(&best, c->name);
    char hint[128];
    suggest_text(&best, hint, sizeof hint);
    return decode_fail(
        d, "%s: there is no colour \"%.40s\"%s Write {r, g, b} from 0 to 1, \"#rrggbb\" or a name such as \"teal\"",
        d->key, word, hint[0] ? hint : ".");
}

fr_result value_colour(decoder *d, const key *key, void *target)
{
    (void)key;
    double *colour = target;
    if (lua_type(d->lua, -1) == LUA_TSTRING)
        return value_colour_word(d, lua_tostring(d->lua, -1), colour);
    int found;
    number_list list = {3, 3, "a colour: {r, g, b} from 0 to 1, \"#rrggbb\" or a name"};
    FR_TRY(decode_numbers(d, &list, colour, &found));
    for (int i = 0; i < 3; i++)
        if (!(colour[i] >= 0 && colour[i] <= 1))
            return decode_fail(d, "%s: the parts of a colour lie between 0 and 1, not %g", d->key, colour[i]);
    return FR_OK;
}

static bool field_is_deep(const char *name)
{
    const fr_field_info *known = fr_field_describe(name);
    return known && known->only_3d;
}

/* The index-th field name that is legal in this scene; NULL after the last. */
static const char *field_name(const decoder *d, const char *const *names, int index)
{
    for (; names && *names; names++)
        if ((d->def->domain.dims == 3 || !field_is_deep(*names)) && index-- == 0)
            return *names;
    return fr_method_describe(d->def->method)->scalars_key ? decode_scalar_name(d, index) : NULL;
}

fr_result value_field(decoder *d, const key *key, const char *const *names, const char **field)
{
    FR_TRY(value_string(d, key, field));
    suggestion best = suggest_begin(*field);
    char hint[128], known[400] = "";
    size_t used = 0;
    const char *name;
    for (int i = 0; (name = field_name(d, names, i)); i++) {
        if (!strcmp(*field, name))
            return FR_OK;
        suggest_offer(&best, name);
        if (used + strlen(name) + 8 < sizeof known)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", name);
        else if (known[used - 1] != '.')
            used += (size_t)snprintf(known + used, sizeof known - used, " ...");
    }
    suggest_text(&best, hint, sizeof hint);
    bool lost = d->def->domain.dims == 2 && field_is_deep(*field);
    return decode_fail(d, "there is no field '%.40s'%s%s (the fields are %s)", *field, lost ? " in 2D" : "", hint,
                       known);
}
