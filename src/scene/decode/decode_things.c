/* The contents of the domain: scalars, sources, forces, obstacles, initial and prescribed flow, probes. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freshet/fields.h>
#include <freshet/method.h>

#include "scene/decode/decode.h"
#include "scene/lua/constructors.h"
#include "scene/lua/functions.h"

static const choice transport_choices[] = {
    {"carried", FR_TRANSPORT_CARRIED}, {"conservative", FR_TRANSPORT_CONSERVATIVE}, {0}};

fr_result value_transport(decoder *d, const key *key_of_transport, void *target)
{
    (void)key_of_transport;
    const key with_choices = {.detail = transport_choices};
    int choice = 0;
    FR_TRY(value_choice(d, &with_choices, &choice));
    *(fr_transport *)target = (fr_transport)choice;
    return FR_OK;
}

static fr_result scalar_refine(decoder *d, const key *key, void *target)
{
    int *refine = target;
    FR_TRY(value_integer(d, key, refine));
    if (*refine < 1)
        return decode_fail(
            d, "refine must be 1 or more, not %d: cells of the scalar per cell of the flow, along every axis", *refine);
    return FR_OK;
}

static const key scalar_keys[] = {
    DECODE_SCALAR_KEYS, {"refine", scalar_refine, offsetof(fr_scalar_def, refine), NULL, NULL}, {0}};
static const key_set scalar_set = {"a scalar", scalar_keys, false, false};

enum { MOST_SCALAR_LETTERS = 63 };

/* A scalar's name is used as a key, in file names and as a column. */
static fr_result scalar_check_name(decoder *d, const char *name)
{
    static const char *const taken[] = {
        "shape", "at",   "rotation",          "rate",       "from",      "to",     "x",     "y",
        "z",     "slip", "particle_velocity", "turbulence", "direction", "radius", "length"};
    bool spare = fr_field_may_be_scalar(name);
    if (strlen(name) > MOST_SCALAR_LETTERS)
        return decode_fail(d, "the scalar's name '%.40s…' has %zu letters; the limit is %d", name, strlen(name),
                           MOST_SCALAR_LETTERS);
    bool good = isalpha((unsigned char)name[0]) || name[0] == '_';
    for (const char *c = name; *c; c++)
        good = good && (isalnum((unsigned char)*c) || *c == '_');
    if (!good)
        return decode_fail(
            d, "the scalar's name '%.40s' must be made of letters, digits and '_' and not begin with a digit", name);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        spare = spare && strcmp(name, taken[i]) != 0;
    if (!spare)
        return decode_fail(d, "the name '%s' has another meaning already; choose another for the scalar", name);
    return FR_OK;
}

static int scalar_compare(const void *a, const void *b)
{
    return strcmp(((const fr_scalar_def *)a)->name, ((const fr_scalar_def *)b)->name);
}

static int scalar_count(decoder *d)
{
    int count = 0;
    for (lua_pushnil(d->lua); decode_next(d); lua_pop(d->lua, 1))
        count++;
    return count;
}

/* Collects the names in alphabetical order, because Lua's own order changes from run to run. */
static fr_result scalar_names(decoder *d, const scalar_table *table, char *scalars)
{
    size_t count = 0;
    for (lua_pushnil(d->lua); decode_next(d); lua_pop(d->lua, 1)) {
        if (lua_type(d->lua, -2) != LUA_TSTRING)
            return decode_fail(d, "%s", table->nameless);
        fr_scalar_def *scalar = (fr_scalar_def *)(void *)(scalars + table->size * count++);
        scalar->name = arena_strdup(d->arena, lua_tostring(d->lua, -2));
        if (!scalar->name)
            return FR_ERROR_MEMORY;
    }
    qsort(scalars, count, table->size, scalar_compare);
    return FR_OK;
}

fr_result decode_scalar_table(decoder *d, const scalar_table *table, void *array_target, int *found)
{
    enum { MOST_SCALARS = 64 };
    if (!lua_istable(d->lua, -1))
        return decode_fail_type(d, "a table such as { ink = { diffusion = 0 } }");
    int count = scalar_count(d);
    if (count > MOST_SCALARS)
        return decode_fail(d, "%s has %d entries; the limit is %d", d->key, count, MOST_SCALARS);
    char *scalars = arena_alloc(d->arena, table->size * (size_t)(count ? count : 1));
    if (!scalars)
        return FR_ERROR_MEMORY;
    FR_TRY(scalar_names(d, table, scalars));
    for (int i = 0; i < count; i++) {
        fr_scalar_def *scalar = (fr_scalar_def *)(void *)(scalars + table->size * (size_t)i);
        lua_pushstring(d->lua, scalar->name);
        lua_rawget(d->lua, -2);
        size_t outer = decode_enter(d, scalar->name);
        FR_TRY(scalar_check_name(d, scalar->name));
        FR_TRY(decode_keys(d, table->set, scalar));
        scalar->has_initial = decode_has(d, "initial");
        if (table->finish)
            FR_TRY(table->finish(d, scalar));
        decode_leave(d, outer);
        lua_pop(d->lua, 1);
    }
    memcpy(array_target, &scalars, sizeof scalars);
    *found = count;
    return FR_OK;
}

fr_result value_scalars(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    static const scalar_table table = {"scalars have names: write scalars = { ink = { diffusion = 0 } }", &scalar_set,
                                       sizeof(fr_scalar_def), NULL};
    return decode_scalar_table(d, &table, &def->scalars, &def->scalar_count);
}

static const key source_keys[] = {DECODE_PLACED_KEYS(fr_source_def),
                                  {"velocity", value_varying_vector, offsetof(fr_source_def, velocity), NULL, "m/s"},
                                  {"rate", value_not_negative, offsetof(fr_source_def, rate), NULL, "1/s"},
                                  {"colour", value_known, 0, NULL, NULL},
                                  {"from", value_number, offsetof(fr_source_def, from), NULL, "s"},
                                  {"to", value_end, offsetof(fr_source_def, to), NULL, "s"},
                                  {"turbulence", value_turbulence, offsetof(fr_source_def, turbulence), NULL, NULL},
                                  {0}};
static const key_set source_set = {"source", source_keys, true, false};

static fr_result source_value(decoder *d, const key *key, void *target)
{
    fr_source_def *source = target;
    const char *made = constructor_of(d->lua, -1, NULL);
    source->to = INFINITY;
    if (made && !strcmp(made, "jet"))
        return value_jet(d, key, target);
    FR_TRY(decode_expect(d, "source"));
    FR_TRY(decode_keys(d, &source_set, source));
    FR_TRY(decode_scalar_values(d, &source->scalars, &source->scalar_count));
    FR_TRY(decode_colour_values(d, &source->scalars, &source->scalar_count));
    if (decode_has(d, "colour") && source->rate > 0)
        return decode_fail(d, "%s: with a rate a source adds to what is there, but a colour is no amount; drop one",
                           d->key);
    source->sets_velocity = decode_has(d, "velocity");
    if (!source->shape.shape)
        return decode_fail(d, "%s needs a shape: source{ shape = sphere{ radius = 0.1 }, … }", d->key);
    const char *gives = fr_method_describe(d->def->method)->source_gives;
    if (!source->sets_velocity && source->scalar_count == 0 && gives)
        return decode_fail(d, "%s gives nothing; add %s", d->key, gives);
    return FR_OK;
}

/* Puts these sources before those of a river's inks, so that messages count them as the scene does. */
fr_result value_sources(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    static const list_spec spec = {"source{…}", sizeof(fr_source_def), source_value};
    const fr_source_def *of_inks = def->sources, *listed;
    int inks = def->source_count, count;
    FR_TRY(decode_list(d, &spec, &listed, &count));
    fr_source_def *all = ARENA_NEW(d->arena, fr_source_def, count + inks + 1);
    if (!all)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < count + inks; i++)
        all[i] = i < count ? listed[i] : of_inks[i - count];
    def->sources = all;
    def->source_count = count + inks;
    return FR_OK;
}

static const key force_keys[] = {DECODE_PLACED_KEYS(fr_force_def),
                                 {"value", value_varying_vector, offsetof(fr_force_def, value), NULL, "m/s²"},
                                 {0}};
static const key_set force_set = {"force", force_keys, false, false};

static const key fan_keys[] = {DECODE_PLACED_KEYS(fr_force_def),
                               {"direction", value_point, offsetof(fr_force_def, direction), NULL, NULL},
                               {"speed", value_varying, offsetof(fr_force_def, speed), NULL, "m/s"},
                               {"response", value_not_negative, offsetof(fr_force_def, response), NULL, "s"},
                               {0}};
static const key_set fan_set = {"fan", fan_keys, false, false};

static fr_result fan_value(decoder *d, fr_force_def *fan)
{
    fan->is_fan = true;
    fan->response = 0.1;
    FR_TRY(decode_expect(d, "fan"));
    FR_TRY(decode_keys(d, &fan_set, fan));
    if (!fan->shape.shape || !decode_has(d, "direction") || !decode_has(d, "speed"))
        return decode_fail(
            d, "%s needs shape, direction and speed: fan{ shape = cylinder{…}, direction = {…}, speed = 2 }", d->key);
    return FR_OK;
}

static fr_result force_value(decoder *d, const key *key, void *target)
{
    (void)key;
    const char *made = constructor_of(d->lua, -1, NULL);
    if (made && !strcmp(made, "fan"))
        return fan_value(d, target);
    FR_TRY(decode_expect(d, "force"));
    FR_TRY(decode_keys(d, &force_set, target));
    return decode_has(d, "value") ? FR_OK : decode_fail(d, "%s needs a value: force{ value = {…} } in m/s²", d->key);
}

fr_result value_forces(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    static const list_spec spec = {"force{…}", sizeof(fr_force_def), force_value};
    return decode_list(d, &spec, &def->forces, &def->force_count);
}

static fr_result obstacle_slip(decoder *d, const key *key, void *target)
{
    int no_slip;
    FR_TRY(value_choice(d, key, &no_slip));
    *(bool *)target = no_slip != 0;
    return FR_OK;
}

static fr_result obstacle_path(decoder *d, const key *key, void *target)
{
    (void)key;
    if (!lua_isfunction(d->lua, -1))
        return decode_fail_type(d, "a function of t that returns x, y, z");
    return functions_path(d, target);
}

/* Written like a rotation, but in degrees per second. */
static fr_result obstacle_spin(decoder *d, const key *key, void *target)
{
    fr_obstacle_def *obstacle = target;
    fr_placed_shape turn = {0};
    FR_TRY(value_rotation(d, key, &turn));
    memcpy(obstacle->spin_axis, turn.axis, sizeof obstacle->spin_axis);
    obstacle->spin = turn.degrees;
    return FR_OK;
}

static const choice slip_choices[] = {{"free_slip", 0}, {"no_slip", 1}, {"separating", CHOICE_UNBUILT}, {NULL, 0}};
static const key obstacle_keys[] = {DECODE_PLACED_KEYS(fr_obstacle_def),
                                    {"slip", obstacle_slip, offsetof(fr_obstacle_def, no_slip), slip_choices, NULL},
                                    {"temperature", value_number, offsetof(fr_obstacle_def, temperature), NULL, "K"},
                                    {"path", obstacle_path, 0, NULL, NULL},
                                    {"spin", obstacle_spin, 0, NULL, NULL},
                                    {"contact_angle", value_unbuilt, 0, NULL, NULL},
                                    {0}};
static const key_set obstacle_set = {"obstacle", obstacle_keys, false, false};

static fr_result obstacle_value(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_obstacle_def *obstacle = target;
    FR_TRY(decode_expect(d, "obstacle"));
    FR_TRY(decode_keys(d, &obstacle_set, obstacle));
    obstacle->has_temperature = decode_has(d, "temperature");
    if (!obstacle->shape.shape)
        return decode_fail(d, "%s needs a shape: obstacle{ shape = sphere{ radius = 0.1 }, … }", d->key);
    if (obstacle->path && decode_has(d, "at"))
        return decode_fail(d, "%s has a path, which says where it stands; leave out at", d->key);
    return FR_OK;
}

fr_result value_obstacles(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    static const list_spec spec = {"obstacle{…}", sizeof(fr_obstacle_def), obstacle_value};
    return decode_list(d, &spec, &def->obstacles, &def->obstacle_count);
}

static const key initial_keys[] = {
    {"velocity", value_varying_vector, offsetof(fr_scene_def, initial_velocity), NULL, "m/s"},
    {"turbulence", value_turbulence, offsetof(fr_scene_def, initial_turbulence), NULL, NULL},
    {0}};
static const key_set initial_set = {"initial", initial_keys, true, false};

fr_result value_initial(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    FR_TRY(decode_keys(d, &initial_set, def));
    def->has_initial_velocity = decode_has(d, "velocity");
    return decode_scalar_values(d, &def->initial, &def->initial_count);
}

static const key prescribed_keys[] = {
    {"velocity", value_varying_vector, offsetof(fr_scene_def, prescribed), NULL, "m/s"}, {0}};
static const key_set prescribed_set = {"prescribed", prescribed_keys, false, false};

fr_result value_prescribed(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    FR_TRY(decode_keys(d, &prescribed_set, def));
    def->has_prescribed = decode_has(d, "velocity");
    return def->has_prescribed ? FR_OK : decode_fail(d, "prescribed needs velocity = function(x, y, z, t)");
}

static fr_result probe_field(decoder *d, const key *key, void *target)
{
    return value_field(d, key, fr_method_describe(d->def->method)->probes, target);
}

static fr_result probe_fields(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_probe_def *probe = target;
    static const list_spec spec = {"\"u\", \"pressure\"", sizeof(const char *), probe_field};
    return decode_list(d, &spec, &probe->fields, &probe->field_count);
}

static const key probe_keys[] = {{"at", value_point, offsetof(fr_probe_def, from), NULL, "m"},
                                 {"from", value_point, offsetof(fr_probe_def, from), NULL, "m"},
                                 {"to", value_point, offsetof(fr_probe_def, to), NULL, "m"},
                                 {"n", value_integer, offsetof(fr_probe_def, n), NULL, NULL},
                                 {"fields", probe_fields, 0, NULL, NULL},
                                 {"every", value_not_negative, offsetof(fr_probe_def, every), NULL, "s"},
                                 {0}};
static const key_set probe_set = {"probe", probe_keys, false, false};

static fr_result probe_value(decoder *d, const key *key, void *target)
{
    (void)key;
    static const char *const usual[] = {"u", "v", "pressure", "w"};
    fr_probe_def *probe = target;
    probe->n = 0;
    FR_TRY(decode_expect(d, "probe"));
    FR_TRY(decode_keys(d, &probe_set, probe));
    bool point = decode_has(d, "at"), from = decode_has(d, "from"), to = decode_has(d, "to");
    if (point == (from || to) || from != to)
        return decode_fail(d, "%s needs at = {…}, or from = {…} and to = {…}", d->key);
    if (point && decode_has(d, "n"))
        return decode_fail(d, "%s: n counts points between from and to; a probe with at has one", d->key);
    if (point)
        memcpy(probe->to, probe->from, sizeof probe->to);
    if (!decode_has(d, "n"))
        probe->n = point ? 1 : 11;
    if (!decode_has(d, "fields")) {
        probe->fields = usual;
        probe->field_count = d->def->domain.dims == 3 ? 4 : 3;
    }
    return FR_OK;
}

fr_result value_probes(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    static const list_spec spec = {"probe{…}", sizeof(fr_probe_def), probe_value};
    return decode_list(d, &spec, &def->probes, &def->probe_count);
}
