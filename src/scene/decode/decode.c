/* The scene's own table and its plain parts. */
#include "scene/decode/decode.h"

#include <string.h>

/* Every method has defaults of its own. Nothing but the name has been set before. */
static fr_result scene_method(decoder *d, const key *key_of_method, void *target)
{
    (void)key_of_method;
    (void)target;
    static const choice methods[] = {{"smoke", FR_METHOD_SMOKE},
                                     {"liquid", CHOICE_UNBUILT},
                                     {"river", FR_METHOD_RIVER},
                                     {"sph", FR_METHOD_SPH},
                                     {NULL, 0}};
    const key with_methods = {.detail = methods};
    int method;
    FR_TRY(value_choice(d, &with_methods, &method));
    const char *name = d->def->name;
    *d->def = fr_default_scene((fr_method)method);
    d->def->name = name;
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
    return odd ? decode_fail(d, "name is used for files: at most 100 characters, no '/', no '.' at its beginning, nothing but text")
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

/* The number of axes is known once the size is: it comes first. */
static const key domain_keys[] = {{"size", domain_size, 0, NULL, NULL},
                                  {"cells", domain_cells, 0, NULL, NULL},
                                  {"origin", value_point, offsetof(fr_domain_def, origin), NULL, "m"},
                                  {0}};
static const key_set domain_set = {"domain", domain_keys, false, false};

static fr_result scene_domain(decoder *d, const key *key, void *target)
{
    (void)key;
    if (d->def->method == FR_METHOD_RIVER)
        return decode_fail(d, "domain: a river has no domain; its grid says where it is");
    FR_TRY(decode_keys(d, &domain_set, target));
    return decode_has(d, "size")
               ? FR_OK
               : decode_fail(d, "domain needs size = {width, height} or {width, height, depth} in metres");
}

static fr_result scene_gravity(decoder *d, const key *key, void *target)
{
    if (d->def->method == FR_METHOD_RIVER)
        return decode_fail(d, "gravity has no effect on a river, whose water fills its bed; push it with forces = { force{ value = {…} } }");
    return value_point(d, key, target);
}

static const key time_keys[] = {{"duration", value_number, offsetof(fr_time_def, duration), NULL, "s"},
                                {"fps", value_number, offsetof(fr_time_def, fps), NULL, "frames per second"},
                                {"cfl", value_positive, offsetof(fr_time_def, cfl), NULL, NULL},
                                {"dt", value_positive, offsetof(fr_time_def, dt), NULL, "s"},
                                {"dt_max", value_positive, offsetof(fr_time_def, dt_max), NULL, "s"},
                                {"dt_min", value_not_negative, offsetof(fr_time_def, dt_min), NULL, "s"},
                                {0}};
static const key_set time_set = {"time", time_keys, false, false};

static fr_result fluid_viscosity(decoder *d, const key *key, void *target)
{
    if (lua_isfunction(d->lua, -1))
        return decode_fail_unbuilt(d, "fluid.viscosity as a function of temperature");
    return value_number(d, key, target);
}

static const key fluid_keys[] = {{"density", value_number, offsetof(fr_fluid_def, density), NULL, "kg/m³"},
                                 {"viscosity", fluid_viscosity, offsetof(fr_fluid_def, viscosity), NULL, "m²/s"},
                                 {"surface_tension", value_number, offsetof(fr_fluid_def, surface_tension), NULL, "N/m"},
                                 {0}};
static const key_set fluid_set = {"fluid", fluid_keys, false, false};

static const choice solver_choices[] = {{"auto", FR_PRESSURE_AUTO},
                                        {"multigrid", FR_PRESSURE_MULTIGRID},
                                        {"cg", FR_PRESSURE_CG},
                                        {NULL, 0}};
static const choice stress_choices[] = {{"full", 0}, {"laplacian", 1}, {NULL, 0}};

/* "fft" is a word of the language that no build can do: it is refused by what it lacks, and not offered as a choice. */
static fr_result solver_pressure(decoder *d, const key *key, void *target)
{
    int solver;
    if (lua_type(d->lua, -1) == LUA_TSTRING && !strcmp(lua_tostring(d->lua, -1), "fft")) {
        decode_fail(d, "%s = \"fft\" needs a fast transform, which this build does not have; use \"multigrid\" (or \"auto\")", d->key);
        return FR_ERROR_UNSUPPORTED;
    }
    FR_TRY(value_choice(d, key, &solver));
    *(fr_pressure_solver *)target = (fr_pressure_solver)solver;
    return FR_OK;
}

/* A choice that only liquids on grids will have: a word that nothing reads would be a promise. */
static fr_result solver_stress(decoder *d, const key *key, void *target)
{
    (void)target;
    int stress;
    FR_TRY(value_choice(d, key, &stress));
    decode_fail(d, "%s is not built yet: it belongs to method = \"liquid\", whose viscosity may vary. Where it is one "
                "number both forms are the same equation; leave it out", d->key);
    return FR_ERROR_UNSUPPORTED;
}

static const key solver_keys[] = {
    {"pressure_tolerance", value_number, offsetof(fr_solver_def, pressure_tolerance), NULL, NULL},
    {"max_iterations", value_integer, offsetof(fr_solver_def, max_iterations), NULL, NULL},
    {"pressure", solver_pressure, offsetof(fr_solver_def, pressure), solver_choices, NULL},
    {"stress", solver_stress, 0, stress_choices, NULL},
    {0}};
static const key_set solver_set = {"solver", solver_keys, false, false};

static const choice advection_choices[] = {
    {"maccormack", FR_ADVECTION_MACCORMACK}, {"linear", FR_ADVECTION_LINEAR}, {"cubic", FR_ADVECTION_CUBIC}, {"reflection", FR_ADVECTION_REFLECTION},
    {"central", FR_ADVECTION_CENTRAL}, {NULL, 0}};

static fr_result smoke_advection(decoder *d, const key *key, void *target)
{
    int advection;
    FR_TRY(value_choice(d, key, &advection));
    *(fr_advection *)target = (fr_advection)advection;
    return FR_OK;
}

static const key buoyancy_keys[] = {
    {"temperature", value_number, offsetof(fr_smoke_def, buoyancy_temperature), NULL, "m/s² per kelvin"},
    {"density", value_number, offsetof(fr_smoke_def, buoyancy_density), NULL, "m/s² per unit of density"},
    {0}};
static const key_set buoyancy_set = {"smoke.buoyancy", buoyancy_keys, false, false};
static const key smoke_keys[] = {
    {"advection", smoke_advection, offsetof(fr_smoke_def, advection), advection_choices, NULL},
    {"vorticity", value_number, offsetof(fr_smoke_def, vorticity), NULL, NULL},
    {"buoyancy", value_keys, 0, &buoyancy_set, NULL},
    {"ambient", value_number, offsetof(fr_smoke_def, ambient), NULL, "K"},
    {0}};
static const key_set smoke_set = {"smoke", smoke_keys, false, false};

/* clang-format off */
#define PART(name, decode, member, detail) {name, decode, offsetof(fr_scene_def, member), detail, NULL}
#define WHOLE(name, decode) {name, decode, 0, NULL, NULL}
/* clang-format on */

/* In the order of decoding: the method decides what is legal, the domain how many axes a point has, and scalars are
   declared before they are used. */
static const key scene_keys[] = {PART("method", scene_method, method, NULL),
                                 PART("name", scene_name, name, NULL),
                                 WHOLE("river", value_river_cells),
                                 PART("domain", scene_domain, domain, NULL),
                                 {"gravity", scene_gravity, offsetof(fr_scene_def, gravity), NULL, "m/s²"},
                                 PART("time", value_keys, time, &time_set),
                                 PART("fluid", value_keys, fluid, &fluid_set),
                                 PART("solver", value_keys, solver, &solver_set),
                                 PART("smoke", value_keys, smoke, &smoke_set),
                                 WHOLE("scalars", value_scalars),
                                 WHOLE("river", value_river),
                                 PART("walls", value_walls, walls, NULL),
                                 PART("sph", value_sph, sph, NULL),
                                 WHOLE("fill", value_fill),
                                 WHOLE("sources", value_sources),
                                 WHOLE("sinks", value_sinks),
                                 WHOLE("forces", value_forces),
                                 WHOLE("obstacles", value_obstacles),
                                 WHOLE("particles", value_particles),
                                 WHOLE("initial", value_initial),
                                 WHOLE("prescribed", value_prescribed),
                                 WHOLE("probes", value_probes),
                                 PART("camera", value_camera, camera, NULL),
                                 WHOLE("look", value_look),
                                 WHOLE("output", value_output),
                                 WHOLE("liquid", value_unbuilt),
                                 WHOLE("heat", value_unbuilt),
                                 WHOLE("bodies", value_unbuilt),
                                 WHOLE("coupling", value_unbuilt),
                                 {0}};
static const key_set scene_set = {"the scene", scene_keys, false, false};

/* Keys that have no meaning in a method. */
static const struct foreign_key {
    const char *name;
    fr_method method;
    const char *owner;   /* whom they belong to */
    const char *instead; /* what a scene of this method would use; may be empty */
} foreign_keys[] = {
    {"sph", FR_METHOD_SMOKE, "method = \"sph\"", ""},
    {"fill", FR_METHOD_SMOKE, "method = \"sph\"", "; air is everywhere: sources and initial say what it holds"},
    {"sinks", FR_METHOD_SMOKE, "method = \"sph\"", "; air leaves through sides that are \"open\""},
    {"river", FR_METHOD_SMOKE, "method = \"river\"", ""},
    {"smoke", FR_METHOD_SPH, "method = \"smoke\"", ""},
    {"solver", FR_METHOD_SPH, "methods on grids", "; a liquid of particles has sph.density_error and sph.max_iterations"},
    {"scalars", FR_METHOD_SPH, "methods on grids", "; a liquid of particles carries nothing else yet"},
    {"particles", FR_METHOD_SPH, "method = \"smoke\"", "; a liquid of particles shows its own"},
    {"prescribed", FR_METHOD_SPH, "method = \"smoke\"", ""},
    {"river", FR_METHOD_SPH, "method = \"river\"", ""},
    {"smoke", FR_METHOD_RIVER, "method = \"smoke\"", ""},
    {"sph", FR_METHOD_RIVER, "method = \"sph\"", ""},
    {"walls", FR_METHOD_RIVER, "the other methods", "; a river has river.sides = { s0 = inflow{ speed = 1 }, s1 = outflow{}, t0 = bank{}, t1 = bank{} }"},
    {"obstacles", FR_METHOD_RIVER, "the other methods", "; what stands in a river are cells: river.obstacles = { cells{ from = {…}, to = {…} } }"},
    {"fill", FR_METHOD_RIVER, "method = \"sph\"", "; a river is full of water"},
    {"sinks", FR_METHOD_RIVER, "method = \"sph\"", "; water leaves a river through river.sides = { s1 = outflow{} }"},
    {"particles", FR_METHOD_RIVER, "method = \"smoke\"", "; a river has river.particles"},
    {"prescribed", FR_METHOD_RIVER, "method = \"smoke\"", ""},
};

static fr_result scene_refuse_foreign(decoder *d)
{
    static const char *const names[] = {[FR_METHOD_SMOKE] = "smoke", [FR_METHOD_SPH] = "sph", [FR_METHOD_RIVER] = "river"};
    for (size_t i = 0; i < sizeof foreign_keys / sizeof *foreign_keys; i++) {
        const struct foreign_key *foreign = &foreign_keys[i];
        if (foreign->method != d->def->method || !decode_has(d, foreign->name))
            continue;
        decode_enter(d, foreign->name);
        return decode_fail(d, "%s belongs to %s and has no meaning in this one, \"%s\"%s", foreign->name, foreign->owner, names[d->def->method],
                           foreign->instead);
    }
    return FR_OK;
}

/* Where the scene is. */
static fr_result scene_require_place(decoder *d)
{
    fr_method method = d->def->method;
    if (method == FR_METHOD_RIVER && !decode_has(d, "river"))
        return decode_fail(d, "the scene needs a river: write river = { cells = {100, 20}, grid = channel{ centre = {{0, 0}, {10, 0}}, width = 1 } }");
    if (method != FR_METHOD_RIVER && !decode_has(d, "domain"))
        return decode_fail(d, "the scene needs a domain: write domain = { size = {1, 1}%s }", method == FR_METHOD_SMOKE ? ", cells = 64" : "");
    return FR_OK;
}

fr_result decode_scene(decoder *d)
{
    if (!lua_istable(d->lua, -1))
        return decode_fail_type(d, "a table: end the file with return { method = \"smoke\", \"sph\" or \"river\", … }");
    if (!decode_has(d, "method"))
        return decode_fail(d, "the scene needs a method: write method = \"smoke\", method = \"sph\" or method = \"river\"");
    FR_TRY(decode_keys(d, &scene_set, d->def));
    FR_TRY(scene_require_place(d));
    return scene_refuse_foreign(d);
}
