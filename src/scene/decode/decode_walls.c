/* The sides of the domain: words, or lid{…}, inflow{…}, hot{…}, wall{…}. */
#include <string.h>

#include "scene/decode/decode.h"
#include "scene/lua/constructors.h"

static const char *const wall_sides[FR_SIDES] = {"left", "right", "bottom", "top", "back", "front"};

static const choice wall_words[] = {{"free_slip", FR_WALL_FREE_SLIP}, {"no_slip", FR_WALL_NO_SLIP},
                                    {"open", FR_WALL_OPEN},           {"periodic", FR_WALL_PERIODIC},
                                    {"separating", CHOICE_UNBUILT},   {NULL, 0}};
static const choice wall_slips[] = {
    {"free_slip", FR_WALL_FREE_SLIP}, {"no_slip", FR_WALL_NO_SLIP}, {"separating", CHOICE_UNBUILT}, {NULL, 0}};

/* The keys of a wall. */
typedef struct wall_table {
    int kind;
    fr_turbulence_def turbulence;
    fr_vector velocity;
    fr_number temperature;
    double level;
} wall_table;

/* clang-format off */
#define VELOCITY {"velocity", value_varying_vector, offsetof(wall_table, velocity), NULL, "m/s"}
#define TEMPERATURE {"temperature", value_varying, offsetof(wall_table, temperature), NULL, "K"}
#define SIDE(name, side) {name, wall_value, sizeof(fr_wall_def) * (side), NULL, NULL}
/* clang-format on */
static fr_result wall_no_speed(decoder *d, const key *key, void *target)
{
    (void)key;
    (void)target;
    return decode_fail(
        d, "%s: speed is for the sides of a river; flow comes through a wall with inflow{ velocity = {…} }", d->key);
}

static const key lid_keys[] = {VELOCITY, TEMPERATURE, {0}};
static const key inflow_keys[] = {VELOCITY,
                                  {"turbulence", value_turbulence, offsetof(wall_table, turbulence), NULL, NULL},
                                  {"level", value_number, offsetof(wall_table, level), NULL, "m"},
                                  {"colour", value_known, 0, NULL, NULL},
                                  {"speed", wall_no_speed, 0, NULL, NULL},
                                  {0}};
static const key hot_keys[] = {TEMPERATURE, {0}};
static const key wall_keys[] = {{"slip", value_choice, offsetof(wall_table, kind), wall_slips, NULL},
                                TEMPERATURE,
                                {"contact_angle", value_unbuilt, 0, NULL, NULL},
                                {0}};

typedef struct wall_spec {
    key_set set;
    fr_wall_kind kind;    /* default */
    const char *required; /* NULL: nothing */
} wall_spec;
static const wall_spec wall_specs[] = {
    {{"lid", lid_keys, false, false}, FR_WALL_NO_SLIP, "velocity"},
    {{"inflow", inflow_keys, true, false}, FR_WALL_INFLOW, "velocity"},
    {{"hot", hot_keys, false, false}, FR_WALL_NO_SLIP, "temperature"},
    {{"wall", wall_keys, false, false}, FR_WALL_FREE_SLIP, NULL},
};

static const wall_spec *wall_find(const char *name)
{
    for (size_t i = 0; i < sizeof wall_specs / sizeof *wall_specs; i++)
        if (!strcmp(wall_specs[i].set.what, name))
            return &wall_specs[i];
    return NULL;
}

/* The wall's temperature, the only scalar of a solid side. */
static fr_result wall_temperature(decoder *d, const wall_table *table, fr_wall_def *wall)
{
    if (!decode_has(d, "temperature"))
        return FR_OK;
    fr_scalar_value *value = ARENA_NEW(d->arena, fr_scalar_value, 1);
    if (!value)
        return FR_ERROR_MEMORY;
    *value = (fr_scalar_value){"temperature", table->temperature};
    wall->scalars = value;
    wall->scalar_count = 1;
    return FR_OK;
}

static fr_result wall_from_table(decoder *d, fr_wall_def *wall)
{
    int line = 0;
    const char *made = constructor_of(d->lua, -1, &line);
    const wall_spec *spec = made ? wall_find(made) : NULL;
    if (!spec)
        return decode_fail_type(
            d, "\"free_slip\", \"no_slip\", \"open\", \"periodic\", lid{…}, inflow{…}, hot{…} or wall{…}");
    lines_add_call(d->lines, d->key, line);
    wall_table table = {.kind = (int)spec->kind};
    FR_TRY(decode_keys(d, &spec->set, &table));
    if (spec->required && !decode_has(d, spec->required))
        return decode_fail(d, "%s: %s{…} needs %s", d->key, made, spec->required);
    *wall = (fr_wall_def){.kind = (fr_wall_kind)table.kind,
                          .velocity = table.velocity,
                          .turbulence = table.turbulence,
                          .has_level = decode_has(d, "level"),
                          .level = table.level};
    if (spec->set.scalars) {
        FR_TRY(decode_scalar_values(d, &wall->scalars, &wall->scalar_count));
        return decode_colour_values(d, &wall->scalars, &wall->scalar_count);
    }
    return wall_temperature(d, &table, wall);
}

static fr_result wall_value(decoder *d, const key *key_of_side, void *target)
{
    (void)key_of_side;
    fr_wall_def *wall = target;
    if (lua_istable(d->lua, -1))
        return wall_from_table(d, wall);
    if (lua_type(d->lua, -1) != LUA_TSTRING)
        return decode_fail_type(
            d, "\"free_slip\", \"no_slip\", \"open\", \"periodic\", lid{…}, inflow{…}, hot{…} or wall{…}");
    int kind;
    const key words = {.detail = wall_words};
    FR_TRY(value_choice(d, &words, &kind));
    *wall = (fr_wall_def){.kind = (fr_wall_kind)kind};
    return FR_OK;
}

static fr_result wall_nowhere(decoder *d, const key *key, void *target)
{
    (void)target;
    return decode_fail(d, "a 2D scene has no %s side; walls has left, right, bottom and top", key->name);
}

static const key flat_keys[] = {SIDE("all", FR_SIDES),
                                SIDE("left", FR_LEFT),
                                SIDE("right", FR_RIGHT),
                                SIDE("bottom", FR_BOTTOM),
                                SIDE("top", FR_TOP),
                                {"back", wall_nowhere, 0, NULL, NULL},
                                {"front", wall_nowhere, 0, NULL, NULL},
                                {0}};
static const key deep_keys[] = {
    SIDE("all", FR_SIDES), SIDE("left", FR_LEFT), SIDE("right", FR_RIGHT), SIDE("bottom", FR_BOTTOM),
    SIDE("top", FR_TOP),   SIDE("back", FR_BACK), SIDE("front", FR_FRONT), {0}};

/* A periodic side makes the opposite one periodic, unless that is set to something else. */
static fr_result wall_pair(decoder *d, fr_wall_def *walls, int side)
{
    int other = side ^ 1;
    if (walls[side].kind != FR_WALL_PERIODIC || walls[other].kind == FR_WALL_PERIODIC)
        return FR_OK;
    if (!decode_has(d, wall_sides[other])) {
        walls[other] = walls[side];
        return FR_OK;
    }
    size_t outer = decode_enter(d, wall_sides[other]);
    fr_result result = decode_fail(d, "%s must be \"periodic\" like walls.%s: a periodic axis has two such sides",
                                   d->key, wall_sides[side]);
    decode_leave(d, outer);
    return result;
}

fr_result value_walls(decoder *d, const key *key, void *target)
{
    (void)key;
    int sides = 2 * d->def->domain.dims;
    fr_wall_def *walls = target, given[FR_SIDES + 1] = {0};
    const key_set set = {"walls", sides == 4 ? flat_keys : deep_keys, false, false};
    FR_TRY(decode_keys(d, &set, given));
    for (int side = 0; side < sides; side++) {
        if (decode_has(d, wall_sides[side]))
            walls[side] = given[side];
        else if (decode_has(d, "all"))
            walls[side] = given[FR_SIDES];
    }
    for (int side = 0; side < sides; side++)
        FR_TRY(wall_pair(d, walls, side));
    return FR_OK;
}
