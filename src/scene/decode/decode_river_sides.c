/* The sides of a river: banks, inflows, outflows. */
#include <stdio.h>
#include <string.h>

#include "scene/decode/decode.h"
#include "scene/lua/constructors.h"
#include "scene/lua/functions.h"

static const char *const river_side_names[FR_SIDES] = {"s0", "s1", "t0", "t1", "r0", "r1"};
static const char *const river_axes[3] = {"s", "t", "r"};

/* The key that `number` is, as a number or as a function of the place on the side and, if `timed`, of t. */
static fr_result side_number(decoder *d, bool timed, fr_number *number, bool *along)
{
    const bool flat = d->def->domain.dims == 2;
    char wanted[160];
    if (lua_isfunction(d->lua, -1))
        return functions_side(d, timed, number, along);
    snprintf(wanted, sizeof wanted, "a number (%s) or %sa function(%s), the share%s of the way along the side",
             timed ? "m/s" : "0 to 1", timed ? "a function(t), " : "", flat ? "s" : "s, r", flat ? "" : "s");
    if (lua_type(d->lua, -1) != LUA_TNUMBER)
        return decode_fail_type(d, wanted);
    return value_number(d, &(key){.unit = timed ? "m/s" : NULL}, &number->value);
}

static fr_result side_speed(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_river_side *side = target;
    return side_number(d, true, &side->speed, &side->speed_along);
}

static fr_result side_inflow(decoder *d, const key *key, void *target)
{
    (void)key;
    bool along;
    return side_number(d, true, &((fr_river_side *)target)->inflow, &along);
}

static fr_result side_roughness(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_river_side *side = target;
    fr_number number = {.value = side->roughness};
    bool along;
    FR_TRY(side_number(d, false, &number, &along));
    side->roughness = number.value;
    side->roughness_of = number.function;
    side->roughness_context = number.context;
    return FR_OK;
}

static fr_result side_no_velocity(decoder *d, const key *key, void *target)
{
    (void)key;
    (void)target;
    return decode_fail(d, "%s: water comes into a river square to its side: inflow{ speed = 1 }", d->key);
}

static const key inflow_keys[] = {
    {"speed", side_speed, 0, NULL, NULL}, {"velocity", side_no_velocity, 0, NULL, NULL}, {0}};
static const key outflow_keys[] = {{0}};
static const key bank_keys[] = {{"roughness", side_roughness, 0, NULL, NULL},
                                {"speed", side_speed, 0, NULL, NULL},
                                {"inflow", side_inflow, 0, NULL, NULL},
                                {0}};

static const struct side_spec {
    key_set set;
    fr_river_side_kind kind;
} side_specs[] = {{{"inflow", inflow_keys, true, false}, FR_RIVER_INFLOW},
                  {{"outflow", outflow_keys, false, false}, FR_RIVER_OUTFLOW},
                  {{"bank", bank_keys, false, false}, FR_RIVER_BANK}};

static fr_result side_from_table(decoder *d, const struct side_spec *spec, fr_river_side *side)
{
    key_set set = spec->set;
    set.scalars = set.scalars || (spec->kind == FR_RIVER_BANK && decode_has(d, "inflow"));
    *side = (fr_river_side){.kind = spec->kind, .roughness = 1};
    FR_TRY(decode_keys(d, &set, side));
    if (spec->kind == FR_RIVER_INFLOW && !decode_has(d, "speed"))
        return decode_fail(d, "%s: inflow{…} needs the speed at which the water comes in: inflow{ speed = 1 } in m/s",
                           d->key);
    return set.scalars ? decode_scalar_values(d, &side->scalars, &side->scalar_count) : FR_OK;
}

static fr_result side_value(decoder *d, const key *key_of_side, void *target)
{
    (void)key_of_side;
    fr_river_side *side = target;
    int line = 0;
    const char *made = constructor_of(d->lua, -1, &line);
    for (size_t i = 0; made && i < sizeof side_specs / sizeof *side_specs; i++)
        if (!strcmp(made, side_specs[i].set.what)) {
            lines_add_call(d->lines, d->key, line);
            return side_from_table(d, &side_specs[i], side);
        }
    if (lua_type(d->lua, -1) != LUA_TSTRING || strcmp(lua_tostring(d->lua, -1), "periodic") != 0)
        return decode_fail_type(d, "inflow{ speed = … }, outflow{}, bank{…} or \"periodic\"");
    *side = (fr_river_side){.kind = FR_RIVER_PERIODIC};
    return FR_OK;
}

/* Both ends of an axis at once. */
static fr_result side_pair(decoder *d, const key *key_of_pair, void *target)
{
    fr_river_side *pair = target;
    FR_TRY(side_value(d, key_of_pair, &pair[0]));
    pair[1] = pair[0];
    return FR_OK;
}

static fr_result side_nowhere(decoder *d, const key *key, void *target)
{
    (void)target;
    return decode_fail(d, "a river with cells = {%d, %d} is flat and has no side %s; it has s0, s1, t0 and t1",
                       d->written[0], d->written[1], key->name);
}

/* clang-format off */
#define SIDE(name, side) {name, side_value, sizeof(fr_river_side) * (side), NULL, NULL}
#define PAIR(name, axis) {name, side_pair, sizeof(fr_river_side) * 2 * (axis), NULL, NULL}
#define NOWHERE(name) {name, side_nowhere, 0, NULL, NULL}
/* clang-format on */
static const key flat_keys[] = {PAIR("s", 0),  PAIR("t", 1), SIDE("s0", 0), SIDE("s1", 1), SIDE("t0", 2),
                                SIDE("t1", 3), NOWHERE("r"), NOWHERE("r0"), NOWHERE("r1"), {0}};
static const key deep_keys[] = {PAIR("s", 0),  PAIR("t", 1),  PAIR("r", 2),  SIDE("s0", 0), SIDE("s1", 1),
                                SIDE("t0", 2), SIDE("t1", 3), SIDE("r0", 4), SIDE("r1", 5), {0}};

fr_result value_bent_sides(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    const key_set set = {"river.sides", def->domain.dims == 2 ? flat_keys : deep_keys, false, false};
    FR_TRY(decode_keys(d, &set, def->river.sides));
    for (int side = 0; side < 2 * def->domain.dims; side++)
        if (decode_has(d, river_side_names[side]) && decode_has(d, river_axes[side / 2])) {
            decode_enter(d, river_side_names[side]);
            return decode_fail(d, "%s: river.sides.%s says what this side is; keep one of the two", d->key,
                               river_axes[side / 2]);
        }
    return FR_OK;
}
