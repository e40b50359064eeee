/* Decodes the top-level table of a scene and its simple parts. */
#include "scene/decode/decode.h"
#include "scene/lua/functions.h"

#include <string.h>

/* Sets the method's defaults. Only the name has been decoded before, and it is kept. */
static fr_result scene_method(decoder *d, const key *key_of_method, void *target)
{
    (void)key_of_method;
    (void)target;
    choice *methods = ARENA_NEW(d->arena, choice, fr_method_count() + 2);
    if (!methods)
        return FR_ERROR_MEMORY;
    int count = 0;
    for (int i = 0; i < fr_method_count(); i++)
        if (fr_method_describe((fr_method)i))
            methods[count++] = (choice){fr_method_describe((fr_method)i)->name, i};
    const key with_methods = {.detail = methods};
    int method;
    FR_TRY(value_choice(d, &with_methods, &method));
    const char *name = d->def->name;
    *d->def = fr_default_scene((fr_method)method);
    d->def->name = name;
    return FR_OK;
}

/* Decoded first, because the legal keys depend on the method. */
static fr_result scene_read_method(decoder *d)
{
    lua_pushliteral(d->lua, "method");
    lua_rawget(d->lua, -2);
    size_t outer = decode_enter(d, "method");
    FR_TRY(scene_method(d, NULL, d->def));
    decode_leave(d, outer);
    lua_pop(d->lua, 1);
    return FR_OK;
}

/* The name becomes part of file names. */
static fr_result scene_name(decoder *d, const key *key, void *target)
{
    const char **name = target;
    FR_TRY(value_string(d, key, name));
    bool odd = (*name)[0] == '.' || strlen(*name) > 100;
    for (const char *c = *name; *c && !odd; c += fr_printable_length(c))
        odd = *c == '/' || *c == '\\' || *c == '\n' || *c == '\t' || fr_printable_length(c) == 0;
    return odd ? decode_fail(d, "name is used for files: at most 100 characters, no '/', no '.' at its beginning, "
                                "nothing but text")
               : FR_OK;
}

static fr_result domain_size(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_domain_def *domain = target;
    number_list list = {2, 3, "two lengths (2D) or three (3D) in metres"};
    return decode_numbers(d, &list, domain->size, &domain->dims);
}

/* One number along the longest side, or one per axis. */
static fr_result domain_cells(decoder *d, const key *key, void *target)
{
    fr_domain_def *domain = target;
    memset(domain->cells, 0, sizeof domain->cells);
    if (!lua_istable(d->lua, -1))
        return value_integer(d, key, domain->cells);
    lua_Unsigned length = lua_rawlen(d->lua, -1);
    if (length != (lua_Unsigned)domain->dims)
        return decode_fail(d,
                           "domain.cells must be one number along the longest side or a list of %d like domain.size, "
                           "found a table with %llu %s",
                           domain->dims, (unsigned long long)length, length == 1 ? "entry" : "entries");
    domain->cells[2] = 1;
    for (int a = 0; a < domain->dims; a++) {
        lua_rawgeti(d->lua, -1, a + 1);
        size_t outer = decode_enter_index(d, a + 1);
        FR_TRY(value_integer(d, key, &domain->cells[a]));
        if (domain->cells[a] < 1)
            return decode_fail(d, "domain.cells must be made of whole numbers from 1 on, not %d", domain->cells[a]);
        decode_leave(d, outer);
        lua_pop(d->lua, 1);
    }
    return FR_OK;
}

/* `size` comes first, because it gives the number of axes. */
static const key domain_keys[] = {{"size", domain_size, 0, NULL, NULL},
                                  {"cells", domain_cells, 0, NULL, NULL},
                                  {"origin", value_point, offsetof(fr_domain_def, origin), NULL, "m"},
                                  {0}};
static const key_set domain_set = {"domain", domain_keys, false, false};

static fr_result scene_domain(decoder *d, const key *key, void *target)
{
    (void)key;
    FR_TRY(decode_keys(d, &domain_set, target));
    return decode_has(d, "size")
               ? FR_OK
               : decode_fail(d, "domain needs size = {width, height} or {width, height, depth} in metres");
}

static const key time_keys[] = {{"duration", value_number, offsetof(fr_time_def, duration), NULL, "s"},
                                {"fps", value_number, offsetof(fr_time_def, fps), NULL, "frames per second"},
                                {"cfl", value_positive, offsetof(fr_time_def, cfl), NULL, NULL},
                                {"dt", value_positive, offsetof(fr_time_def, dt), NULL, "s"},
                                {"dt_max", value_positive, offsetof(fr_time_def, dt_max), NULL, "s"},
                                {"dt_min", value_not_negative, offsetof(fr_time_def, dt_min), NULL, "s"},
                                {0}};
static const key_set time_set = {"time", time_keys, false, false};

/* Viscosities that vary: ignoring them elsewhere would mislead. */
static fr_result fluid_is_missing(decoder *d, const char *where)
{
    decode_fail(d, "%s%s is not built yet for method = \"%s\"; %s", d->key,
                lua_isfunction(d->lua, -1) ? " as a function" : "", fr_method_describe(d->def->method)->name, where);
    return FR_ERROR_UNSUPPORTED;
}

/* By the shear rate. */
static fr_result fluid_of_pastes(decoder *d)
{
    const bool has = d->def->method == FR_METHOD_LIQUID || d->def->method == FR_METHOD_SPH;
    return has ? FR_OK : fluid_is_missing(d, "method = \"liquid\" and \"sph\" have it");
}

static fr_result fluid_viscosity(decoder *d, const key *key, void *target)
{
    fr_fluid_def *fluid = target;
    if (!lua_isfunction(d->lua, -1))
        return value_number(d, key, &fluid->viscosity);
    if (d->def->method != FR_METHOD_LIQUID)
        return fluid_is_missing(d, "method = \"liquid\" has it");
    return functions_law(d, &fluid->viscosity_law, &fluid->viscosity_context);
}

static fr_result fluid_yield(decoder *d, const key *key, void *target)
{
    FR_TRY(fluid_of_pastes(d));
    return value_not_negative(d, key, target);
}

static fr_result fluid_power(decoder *d, const key *key, void *target)
{
    FR_TRY(fluid_of_pastes(d));
    return value_positive(d, key, target);
}

static const key fluid_keys[] = {
    {"density", value_number, offsetof(fr_fluid_def, density), NULL, "kg/m³"},
    {"viscosity", fluid_viscosity, 0, NULL, "m²/s"},
    {"yield", fluid_yield, offsetof(fr_fluid_def, yield), NULL, "m²/s²"},
    {"power", fluid_power, offsetof(fr_fluid_def, power), NULL, NULL},
    {"surface_tension", value_number, offsetof(fr_fluid_def, surface_tension), NULL, "N/m"},
    {"contact_angle", value_unbuilt, 0, NULL, NULL},
    {"air", value_unbuilt, 0, "fluid.air, trapped air with a pressure of its own,", NULL},
    {0}};
static const key_set fluid_set = {"fluid", fluid_keys, false, false};

static const choice solver_choices[] = {
    {"auto", FR_PRESSURE_AUTO}, {"multigrid", FR_PRESSURE_MULTIGRID}, {"cg", FR_PRESSURE_CG}, {NULL, 0}};
static const choice viscosity_choices[] = {
    {"implicit", FR_VISCOSITY_IMPLICIT}, {"explicit", FR_VISCOSITY_EXPLICIT}, {NULL, 0}};
static const choice stress_choices[] = {{"full", FR_STRESS_FULL}, {"laplacian", FR_STRESS_LAPLACIAN}, {NULL, 0}};

/* "fft" is part of the scene language but not implemented: it gets a message of its own and is not listed as a
   choice. */
static fr_result solver_pressure(decoder *d, const key *key, void *target)
{
    int solver;
    if (lua_type(d->lua, -1) == LUA_TSTRING && !strcmp(lua_tostring(d->lua, -1), "fft")) {
        decode_fail(
            d, "%s = \"fft\" needs a fast transform, which this build does not have; use \"multigrid\" (or \"auto\")",
            d->key);
        return FR_ERROR_UNSUPPORTED;
    }
    FR_TRY(value_choice(d, key, &solver));
    *(fr_pressure_solver *)target = (fr_pressure_solver)solver;
    return FR_OK;
}

static fr_result solver_viscosity(decoder *d, const key *key, void *target)
{
    int viscosity;
    FR_TRY(value_choice(d, key, &viscosity));
    *(fr_viscosity *)target = (fr_viscosity)viscosity;
    if (d->def->method == FR_METHOD_LIQUID || viscosity == FR_VISCOSITY_IMPLICIT)
        return FR_OK;
    return decode_fail(d, "%s = \"explicit\" belongs to method = \"liquid\"; leave it out", d->key);
}

/* Ignoring it elsewhere would mislead. */
static fr_result solver_stress(decoder *d, const key *key, void *target)
{
    int stress;
    FR_TRY(value_choice(d, key, &stress));
    *(fr_stress *)target = (fr_stress)stress;
    if (d->def->method == FR_METHOD_LIQUID)
        return FR_OK;
    return decode_fail(d,
                       "%s belongs to method = \"liquid\", whose viscosity may vary. Where it is one number both "
                       "forms are the same equation; leave it out",
                       d->key);
}

static const key solver_keys[] = {
    {"pressure_tolerance", value_number, offsetof(fr_solver_def, pressure_tolerance), NULL, NULL},
    {"max_iterations", value_integer, offsetof(fr_solver_def, max_iterations), NULL, NULL},
    {"pressure", solver_pressure, offsetof(fr_solver_def, pressure), solver_choices, NULL},
    {"stress", solver_stress, offsetof(fr_solver_def, stress), stress_choices, NULL},
    {"viscosity", solver_viscosity, offsetof(fr_solver_def, viscosity), viscosity_choices, NULL},
    {0}};
static const key_set solver_set = {"solver", solver_keys, false, false};

/* clang-format off */
#define PART(name, decode, member, detail) {name, decode, offsetof(fr_scene_def, member), detail, NULL}
#define WHOLE(name, decode) {name, decode, 0, NULL, NULL}
/* clang-format on */

/* In decoding order: the method decides what is legal, the domain sets the number of axes, and scalars and bodies are
   declared before they are used. METHODS_AXES and METHODS_TABLES are placeholders for the tables of all methods. */
static const char METHODS_AXES[] = "axes", METHODS_TABLES[] = "tables";
static const key scene_keys[] = {PART("method", value_known, method, NULL),
                                 PART("name", scene_name, name, NULL),
                                 {METHODS_AXES, value_method_axes, 0, NULL, NULL},
                                 PART("domain", scene_domain, domain, NULL),
                                 {"gravity", value_point, offsetof(fr_scene_def, gravity), NULL, "m/s²"},
                                 PART("time", value_keys, time, &time_set),
                                 PART("fluid", value_keys, fluid, &fluid_set),
                                 PART("solver", value_keys, solver, &solver_set),
                                 WHOLE("scalars", value_scalars),
                                 {METHODS_TABLES, value_method_table, 0, NULL, NULL},
                                 PART("walls", value_walls, walls, NULL),
                                 WHOLE("fill", value_fill),
                                 WHOLE("sources", value_sources),
                                 WHOLE("sinks", value_sinks),
                                 WHOLE("forces", value_forces),
                                 WHOLE("obstacles", value_obstacles),
                                 WHOLE("bodies", value_bodies),
                                 WHOLE("joints", value_joints),
                                 PART("coupling", value_coupling, coupling, NULL),
                                 WHOLE("particles", value_particles),
                                 WHOLE("initial", value_initial),
                                 WHOLE("prescribed", value_prescribed),
                                 WHOLE("probes", value_probes),
                                 PART("camera", value_camera, camera, NULL),
                                 WHOLE("look", value_look),
                                 WHOLE("output", value_output),
                                 PART("heat", value_heat, heat, NULL),
                                 {0}};
enum { SCENE_KEYS = sizeof scene_keys / sizeof *scene_keys };

/* scene_keys with the placeholders replaced by the methods' tables. */
static const key *scene_all_keys(decoder *d)
{
    int methods = fr_method_count(), count = 0;
    key *all = ARENA_NEW(d->arena, key, SCENE_KEYS + 2 * methods);
    for (int i = 0; i < SCENE_KEYS && all; i++) {
        bool tables = scene_keys[i].name == METHODS_AXES || scene_keys[i].name == METHODS_TABLES;
        if (!tables)
            all[count++] = scene_keys[i];
        for (int m = 0; m < methods && tables; m++) {
            const fr_method_info *info = fr_method_describe((fr_method)m);
            if (info)
                all[count++] = (key){info->name, scene_keys[i].decode, 0, info, NULL};
        }
    }
    return all;
}

/* Fails if the scene has a key that has no meaning in its method. */
static fr_result scene_refuse_foreign(decoder *d)
{
    const fr_method_info *info = fr_method_describe(d->def->method);
    for (const fr_refused_key *refused = info->refused; refused && refused->name; refused++) {
        if (!decode_has(d, refused->name))
            continue;
        decode_enter(d, refused->name);
        if (!refused->owner)
            return decode_fail(d, "%s", refused->instead);
        return decode_fail(d, "%s belongs to %s and has no meaning in this one, \"%s\"%s", refused->name,
                           refused->owner, info->name, refused->instead);
    }
    return FR_OK;
}

/* Fails if the scene does not say where the fluid is. */
static fr_result scene_require_place(decoder *d)
{
    const fr_method_info *info = fr_method_describe(d->def->method);
    if (decode_has(d, info->place_key))
        return FR_OK;
    return decode_fail(d, "the scene needs a %s: write %s", info->place_key, info->place_example);
}

/* The names of all methods for messages, "smoke", "sph" …, each preceded by `before`. */
static const char *scene_name_methods(decoder *d, const char *before)
{
    const char *text = "";
    int left = 0;
    for (int i = 0; i < fr_method_count(); i++)
        left += fr_method_describe((fr_method)i) != NULL;
    for (int i = 0; i < fr_method_count() && text; i++) {
        const fr_method_info *info = fr_method_describe((fr_method)i);
        if (info)
            text = arena_printf(d->arena, "%s%s\"%s\"%s", text, before, info->name,
                                --left > 1  ? ", "
                                : left == 1 ? " or "
                                            : "");
    }
    return text ? text : "";
}

fr_result decode_scene(decoder *d)
{
    if (!lua_istable(d->lua, -1)) {
        const char *wanted =
            arena_printf(d->arena, "a table: end the file with return { method = %s, … }", scene_name_methods(d, ""));
        return wanted ? decode_fail_type(d, wanted) : FR_ERROR_MEMORY;
    }
    if (!decode_has(d, "method"))
        return decode_fail(d, "the scene needs a method: write %s", scene_name_methods(d, "method = "));
    FR_TRY(scene_read_method(d));
    const key_set set = {"the scene", scene_all_keys(d), false, false};
    if (!set.keys)
        return FR_ERROR_MEMORY;
    FR_TRY(decode_keys(d, &set, d->def));
    FR_TRY(scene_require_place(d));
    FR_TRY(scene_refuse_foreign(d));
    fr_scene_complete(d->def);
    return FR_OK;
}
