/* What sticks to a liquid and how its surface looks: colour = … of fluid_in, source and inflow, and look.liquid. */
#include <string.h>

#include "scene/decode/decode.h"

fr_result decode_colour_values(decoder *d, const fr_scalar_value **values, int *count)
{
    static const char *const parts[3] = {FR_COLOUR_RED, FR_COLOUR_GREEN, FR_COLOUR_BLUE};
    double colour[3];
    if (!decode_has(d, "colour"))
        return FR_OK;
    if (d->def->method != FR_METHOD_LIQUID)
        return decode_fail(d,
                           "%s: a colour that the fluid carries along is built for method = \"liquid\" alone; leave "
                           "colour out",
                           d->key);
    lua_getfield(d->lua, -1, "colour");
    size_t outer = decode_enter(d, "colour");
    FR_TRY(value_colour(d, NULL, colour));
    decode_leave(d, outer);
    lua_pop(d->lua, 1);
    fr_scalar_value *all = ARENA_NEW(d->arena, fr_scalar_value, *count + 3);
    if (!all)
        return FR_ERROR_MEMORY;
    if (*count > 0)
        memcpy(all, *values, sizeof *all * (size_t)*count);
    for (int i = 0; i < 3; i++)
        all[*count + i] = (fr_scalar_value){parts[i], {.value = colour[i]}};
    *values = all;
    *count += 3;
    return FR_OK;
}

static const choice materials[] = {{"water", FR_MATERIAL_WATER}, {"clay", FR_MATERIAL_CLAY}, {"wax", FR_MATERIAL_WAX},
                                   {"honey", FR_MATERIAL_HONEY}, {"lava", FR_MATERIAL_LAVA}, {NULL, 0}};
static const choice patterns[] = {{"none", FR_PATTERN_NONE},
                                  {"checker", FR_PATTERN_CHECKER},
                                  {"stripes", FR_PATTERN_STRIPES},
                                  {"marble", FR_PATTERN_MARBLE},
                                  {NULL, 0}};

static fr_result look_material(decoder *d, const key *key, void *target)
{
    int choice;
    FR_TRY(value_choice(d, key, &choice));
    *(fr_material *)target = (fr_material)choice;
    return FR_OK;
}

static fr_result look_pattern(decoder *d, const key *key, void *target)
{
    int choice;
    FR_TRY(value_choice(d, key, &choice));
    *(fr_pattern *)target = (fr_pattern)choice;
    return FR_OK;
}

static const key liquid_look_keys[] = {
    {"colour", value_colour, offsetof(fr_look_def, liquid_colour), NULL, NULL},
    {"material", look_material, offsetof(fr_look_def, liquid_material), materials, NULL},
    {"pattern", look_pattern, offsetof(fr_look_def, liquid_pattern), patterns, NULL},
    {"pattern_size", value_positive, offsetof(fr_look_def, liquid_pattern_size), NULL, "m"},
    {0}};
const key_set decode_liquid_look = {"look.liquid", liquid_look_keys, false, false};
