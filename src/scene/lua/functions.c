#include "scene/lua/functions.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct scene_function {
    sandbox *box;
    int reference; /* in the registry */
    int line;      /* where its definition begins */
    function_form form;
    bool picks; /* its arguments are the callback's of these numbers, not the first ones */
    int8_t pick[4];
    bool path;    /* an obstacle's path: x, y, z and optionally degrees and an axis */
    bool about_z; /* its number is the third part of a vector whose others are 0 */
    const char *key;
} scene_function;

/* Seeds math.random by the arguments of the call, so that a resumed run gets the same numbers. */
static uint64_t function_seed(const double *args, int count)
{
    uint64_t seed = 1;
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &args[i], sizeof bits);
        seed = (seed ^ bits) * 0x9e3779b97f4a7c15u;
        seed ^= seed >> 29;
    }
    return seed;
}

static fr_result function_fail(const scene_function *f, const char *what)
{
    return fr_fail(FR_ERROR_INPUT, "%s:%d: the function of %s %s", f->box->path, f->line, f->key, what);
}

/* Takes result `i` from the stack at `index`. In 2D a third result is allowed if it is 0. */
static fr_result function_take(const scene_function *f, int index, int i, double *out)
{
    char what[160];
    lua_State *lua = f->box->lua;
    if (lua_type(lua, index) != LUA_TNUMBER) {
        snprintf(what, sizeof what, "must return %d number%s; result %d is a %s", f->form.results,
                 f->form.results > 1 ? "s" : "", i + 1, lua_typename(lua, lua_type(lua, index)));
        return function_fail(f, what);
    }
    double value = lua_tonumber(lua, index);
    if (!isfinite(value)) {
        snprintf(what, sizeof what, "returned %g; it must be a finite number", isnan(value) ? fabs(value) : value);
        return function_fail(f, what);
    }
    if (i == 2 && i >= f->form.results && value != 0)
        return function_fail(f, "returned a third component in a 2D scene; leave it out or make it 0");
    out[i] = value;
    return FR_OK;
}

/* Whether the number of results is legal. */
static bool function_count_is_good(const scene_function *f, int count)
{
    if (f->path)
        return count == f->form.results || count == 3 || count == 4 || count == 7;
    return count >= f->form.results && count <= (f->form.results > 1 ? 3 : 1);
}

static fr_result function_fail_count(const scene_function *f, int count)
{
    char what[160];
    if (f->path)
        snprintf(what, sizeof what, "must return %s, or x, y, z and degrees, or those and an axis; not %d numbers",
                 f->form.results == 2 ? "x, y" : "x, y, z", count);
    else
        snprintf(what, sizeof what, "must return %d number%s, not %d", f->form.results, f->form.results > 1 ? "s" : "",
                 count);
    return function_fail(f, what);
}

/* Fails if the rotation axis is zero or, in 2D, not z. */
static fr_result function_check_axis(const scene_function *f, const double *way)
{
    if (f->form.results == 2 && (way[4] != 0 || way[5] != 0))
        return function_fail(f, "returned an axis that leaves the plane; a 2D scene turns about z only");
    if (way[3] != 0 && way[4] == 0 && way[5] == 0 && way[6] == 0)
        return function_fail(f, "returned degrees about an axis that is zero");
    return FR_OK;
}

/* Takes the results from the stack at `first`: numbers, or one list of numbers. */
static fr_result function_take_all(const scene_function *f, int first, double *out)
{
    lua_State *lua = f->box->lua;
    int count = lua_gettop(lua) - first + 1;
    if (count == 1 && f->form.results > 1 && lua_istable(lua, first)) {
        count = (int)(lua_rawlen(lua, first) < 9 ? lua_rawlen(lua, first) : 9);
        if (!lua_checkstack(lua, count))
            return function_fail(f, "left no room on Lua's stack");
        for (int i = 1; i <= count; i++)
            lua_rawgeti(lua, first, i);
        first++;
    }
    if (!function_count_is_good(f, count))
        return function_fail_count(f, count);
    for (int i = 0; i < count; i++)
        FR_TRY(function_take(f, first + i, i, out));
    if (f->about_z) {
        out[2] = out[0];
        out[0] = out[1] = 0;
    }
    return f->path ? function_check_axis(f, out) : FR_OK;
}

static fr_result function_call(void *context, const double *args, double *out)
{
    const scene_function *f = context;
    lua_State *lua = f->box->lua;
    if (!lua)
        return sandbox_fail_gone(f->box);
    int base = lua_gettop(lua);
    double picked[4];
    for (int i = 0; f->picks && i < f->form.args; i++)
        picked[i] = args[f->pick[i]];
    args = f->picks ? picked : args + f->form.first;
    f->box->random = function_seed(args, f->form.args);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, f->reference);
    for (int i = 0; i < f->form.args; i++)
        lua_pushnumber(lua, args[i]);
    fr_result result = sandbox_call(f->box, f->form.args);
    if (f->form.results > 1)
        out[2] = 0;
    if (result == FR_OK)
        result = function_take_all(f, base + 1, out);
    if (f->box->lua)
        lua_settop(lua, base);
    return result;
}

/* A law of a material: the last argument is a table with the scene's scalars by name, the same in every call. */
typedef struct scene_law {
    scene_function *function;
    const fr_scene_def *def;
    int table; /* in the registry */
} scene_law;

/* Called by Lua, so that running out of memory is caught: makes a law's arguments of numbers, and calls it. */
static int function_enter_law(lua_State *lua)
{
    const scene_law *law = lua_touserdata(lua, 1);
    const double *args = lua_touserdata(lua, 2);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, law->function->reference);
    lua_pushnumber(lua, args[0]);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, law->table);
    for (int i = 0; i < law->def->scalar_count; i++) {
        lua_pushstring(lua, law->def->scalars[i].name);
        lua_pushnumber(lua, args[1 + i]);
        lua_rawset(lua, -3);
    }
    lua_call(lua, 2, LUA_MULTRET);
    return lua_gettop(lua) - 2;
}

static fr_result function_call_law(void *context, const double *args, double *out)
{
    const scene_function *f = ((const scene_law *)context)->function;
    const int count = 1 + ((const scene_law *)context)->def->scalar_count;
    lua_State *lua = f->box->lua;
    if (!lua)
        return sandbox_fail_gone(f->box);
    int base = lua_gettop(lua);
    f->box->random = function_seed(args, count);
    lua_pushcfunction(lua, function_enter_law);
    lua_pushlightuserdata(lua, context);
    lua_pushlightuserdata(lua, (void *)args);
    fr_result result = sandbox_call(f->box, 2);
    if (result == FR_OK)
        result = function_take_all(f, base + 1, out);
    if (f->box->lua)
        lua_settop(lua, base);
    return result;
}

static scene_function *function_keep(decoder *d, function_form form)
{
    scene_function *f = ARENA_NEW(d->arena, scene_function, 1);
    char *key = arena_strdup(d->arena, d->key);
    if (!f || !key)
        return NULL;
    lua_Debug info;
    lua_pushvalue(d->lua, -1);
    lua_getinfo(d->lua, ">S", &info);
    lua_pushvalue(d->lua, -1);
    *f = (scene_function){.box = d->box, .form = form, .key = key};
    f->line = info.linedefined > 0 ? info.linedefined : lines_find(d->lines, d->key);
    f->reference = luaL_ref(d->lua, LUA_REGISTRYINDEX);
    return f;
}

fr_result functions_of(decoder *d, function_form form, fr_function *function, void **context)
{
    *context = function_keep(d, form);
    *function = function_call;
    return *context ? FR_OK : FR_ERROR_MEMORY;
}

fr_result functions_number(decoder *d, fr_number *number)
{
    return functions_of(d, (function_form){4, 1, 0}, &number->function, &number->context);
}

fr_result functions_vector(decoder *d, fr_vector *vector)
{
    return functions_of(d, (function_form){4, d->def->domain.dims, 0}, &vector->function, &vector->context);
}

fr_result functions_shape(decoder *d, fr_shape_def *shape)
{
    return functions_of(d, (function_form){3, 1, 0}, &shape->function, &shape->context);
}

enum { SIDE_TIME = 3 }; /* the number of t among the arguments of a side's callback */

static fr_result function_fail_argument(decoder *d, bool timed, const char *name)
{
    return decode_fail(d, "%s: its function gets %s%s, not '%s'", d->key,
                       d->def->domain.dims == 2 ? "the share of the way along the side"
                                                : "the shares of the two ways along the side",
                       timed ? " and the time t" : "", name);
}

/* The arguments of a side's function by their names: t is the time, any others are the shares, in their order. A
   function that does not name them (`...`, math.sin) gets the shares and then, if it may have it, the time. */
static fr_result function_pick_of_side(decoder *d, bool timed, scene_function *f)
{
    const int most = d->def->domain.dims - 1;
    int shares = 0, times = 0;
    lua_Debug info;
    lua_pushvalue(d->lua, -1);
    lua_getinfo(d->lua, ">u", &info);
    const int count = info.isvararg ? most + timed : info.nparams;
    for (int i = 0; i < count; i++) {
        const char *name = info.isvararg ? i < most ? "" : "t" : lua_getlocal(d->lua, NULL, i + 1);
        bool time = !strcmp(name, "t");
        if (time ? times == timed : shares == most)
            return function_fail_argument(d, timed, name);
        f->pick[f->form.args++] = (int8_t)(time ? SIDE_TIME : shares);
        *(time ? &times : &shares) += 1;
    }
    return FR_OK;
}

fr_result functions_side(decoder *d, bool timed, fr_number *number, bool *along)
{
    scene_function *f = function_keep(d, (function_form){0, 1, 0});
    if (!f)
        return FR_ERROR_MEMORY;
    f->picks = true;
    *number = (fr_number){.function = function_call, .context = f};
    FR_TRY(function_pick_of_side(d, timed, f));
    *along = false;
    for (int i = 0; i < f->form.args; i++)
        *along |= f->pick[i] != SIDE_TIME;
    return FR_OK;
}

fr_result functions_law(decoder *d, fr_function *function, void **context)
{
    scene_law *law = ARENA_NEW(d->arena, scene_law, 1);
    scene_function *f = function_keep(d, (function_form){2, 1, 0});
    if (!law || !f)
        return FR_ERROR_MEMORY;
    lua_newtable(d->lua);
    *law = (scene_law){.function = f, .def = d->def, .table = luaL_ref(d->lua, LUA_REGISTRYINDEX)};
    *function = function_call_law;
    *context = law;
    return FR_OK;
}

fr_result functions_turn(decoder *d, fr_vector *vector)
{
    const bool flat = d->def->domain.dims == 2;
    scene_function *f = function_keep(d, (function_form){1, flat ? 1 : 3, 0});
    if (!f)
        return FR_ERROR_MEMORY;
    f->about_z = flat;
    vector->function = function_call;
    vector->context = f;
    return FR_OK;
}

fr_result functions_path(decoder *d, fr_obstacle_def *obstacle)
{
    scene_function *f = function_keep(d, (function_form){1, d->def->domain.dims, 0});
    if (!f)
        return FR_ERROR_MEMORY;
    f->path = true;
    obstacle->path = function_call;
    obstacle->path_context = f;
    return FR_OK;
}
