#include "scene/lua/constructors.h"

#include <lauxlib.h>
#include <string.h>

/* `amounts` are the keys of the arguments after the shape in the positional form: translate(shape, {1, 0, 0}). */
typedef struct constructor {
    const char *name;
    bool of_shape;
    const char *amounts[2];
} constructor;

static const constructor constructor_list[] = {
    {"sphere", false, {0}},      {"circle", false, {0}},        {"ellipsoid", false, {0}},
    {"torus", false, {0}},       {"box", false, {0}},           {"rectangle", false, {0}},
    {"cylinder", false, {0}},    {"capsule", false, {0}},       {"cone", false, {0}},
    {"plane", false, {0}},       {"gear", false, {0}},          {"polygon", false, {0}},
    {"revolve", true, {0}},      {"extrude", true, {"height"}}, {"mesh", false, {0}},
    {"union", true, {0}},        {"intersection", true, {0}},   {"difference", true, {0}},
    {"smooth_union", true, {0}}, {"translate", true, {"by"}},   {"rotate", true, {"axis", "degrees"}},
    {"scale", true, {"factor"}}, {"offset", true, {"amount"}},  {"shell", true, {"thickness"}},
    {"sdf", false, {0}},         {"source", false, {0}},        {"force", false, {0}},
    {"obstacle", false, {0}},    {"body", false, {0}},          {"fluid_in", false, {0}},
    {"probe", false, {0}},       {"view", false, {0}},          {"lid", false, {0}},
    {"inflow", false, {0}},      {"outflow", false, {0}},       {"hot", false, {0}},
    {"wall", false, {0}},        {"bank", false, {0}},          {"cells", false, {0}},
    {"fan", false, {0}},         {"jet", false, {0}},           {"tracers", false, {0}},
    {"turbulence", false, {0}},  {"sink", false, {0}},          {"channel", false, {0}},
    {"annulus", false, {0}},     {"venturi", false, {0}},       {"particles", false, {0}},
    {"hinge", false, {0}},       {"ball", false, {0}},          {"slider", false, {0}},
};
enum { CONSTRUCTORS = sizeof constructor_list / sizeof *constructor_list };

/* Its address is the registry key of a weak table: constructed table → line and constructor index in one integer. */
static const char constructor_tags = 0;

static int constructor_line(lua_State *lua)
{
    lua_Debug caller;
    if (!lua_getstack(lua, 1, &caller))
        return 0;
    lua_getinfo(lua, "l", &caller);
    return caller.currentline > 0 ? caller.currentline : 0;
}

static void constructor_tag(lua_State *lua, int index)
{
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &constructor_tags);
    lua_pushvalue(lua, -2);
    lua_pushinteger(lua, (lua_Integer)constructor_line(lua) * CONSTRUCTORS + index);
    lua_rawset(lua, -3);
    lua_pop(lua, 1);
}

/* Stores the arguments after the shape under their keys. A 2D rotation has no axis: rotate(shape, degrees). */
static void constructor_gather(lua_State *lua, const constructor *made)
{
    int given = lua_gettop(lua);
    lua_createtable(lua, 1, 2);
    int first = given > 1 && made->amounts[1] && given == 2 ? 1 : 0;
    for (int i = 1; i <= given; i++) {
        bool shape = i == 1 || !made->amounts[0];
        const char *amount = shape ? NULL : made->amounts[i - 2 + first];
        lua_pushvalue(lua, i);
        if (shape)
            lua_rawseti(lua, -2, i);
        else
            lua_setfield(lua, -2, amount);
    }
}

static int constructor_call(lua_State *lua)
{
    int index = (int)lua_tointeger(lua, lua_upvalueindex(1));
    const constructor *made = &constructor_list[index];
    int given = lua_gettop(lua);
    int most = made->amounts[1] ? 3 : made->amounts[0] ? 2 : made->of_shape ? 200 : 1;
    bool plain = given == 1 && lua_istable(lua, 1);
    bool of_shapes = made->of_shape && given >= 1 && constructor_of(lua, 1, NULL);
    bool of_function = !strcmp(made->name, "sdf") && given == 1 && lua_isfunction(lua, 1);
    if (given > most || (!plain && !of_shapes && !of_function))
        return luaL_error(lua, "%s wants one table: %s{ … }", made->name, made->name);
    if (of_shapes || of_function)
        constructor_gather(lua, made);
    constructor_tag(lua, index);
    return 1;
}

const char *constructor_of(lua_State *lua, int index, int *line)
{
    if (!lua_istable(lua, index))
        return NULL;
    index = lua_absindex(lua, index);
    luaL_checkstack(lua, 2, NULL);
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &constructor_tags);
    lua_pushvalue(lua, index);
    const char *name = NULL;
    if (lua_rawget(lua, -2) == LUA_TNUMBER) {
        lua_Integer tag = lua_tointeger(lua, -1);
        name = constructor_list[tag % CONSTRUCTORS].name;
        if (line)
            *line = (int)(tag / CONSTRUCTORS);
    }
    lua_pop(lua, 2);
    return name;
}

void constructors_open(lua_State *lua)
{
    lua_newtable(lua);
    lua_createtable(lua, 0, 1);
    lua_pushliteral(lua, "k");
    lua_setfield(lua, -2, "__mode");
    lua_setmetatable(lua, -2);
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &constructor_tags);
    for (int i = 0; i < CONSTRUCTORS; i++) {
        lua_pushinteger(lua, i);
        lua_pushcclosure(lua, constructor_call, 1);
        lua_setglobal(lua, constructor_list[i].name);
    }
}
