/* The tables of methods (smoke = {…}, sph = {…}), decoded by the keys that each method lists. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "scene/decode/decode.h"

/* A word to an enumeration value. */
static fr_result row_choice(decoder *d, const key *key, void *target)
{
    int chosen;
    FR_TRY(value_choice(d, key, &chosen));
    memcpy(target, &chosen, sizeof chosen);
    return FR_OK;
}
_Static_assert(sizeof(fr_sph_solver) == sizeof(int) && sizeof(fr_advection) == sizeof(int) &&
                   sizeof(fr_river_scheme) == sizeof(int),
               "row_choice copies whole numbers");

static fr_result row_axes(decoder *d, const key *key, void *target)
{
    double *axes = target;
    if (lua_istable(d->lua, -1))
        return value_point(d, key, axes);
    FR_TRY(value_number(d, key, axes));
    axes[1] = axes[2] = axes[0];
    return FR_OK;
}

static fr_result row_pair(decoder *d, const key *key, void *target)
{
    (void)key;
    const number_list list = {2, 2, "two whole numbers"};
    double numbers[2];
    int found, *pair = target;
    FR_TRY(decode_numbers(d, &list, numbers, &found));
    for (int i = 0; i < 2; i++) {
        if (numbers[i] != floor(numbers[i]) || fabs(numbers[i]) > INT_MAX)
            return decode_fail(d, "%s must be two whole numbers, not %g and %g", d->key, numbers[0], numbers[1]);
        pair[i] = (int)numbers[i];
    }
    return FR_OK;
}

static fr_result row_table(decoder *d, const key *key, void *target);

static const decode_value row_types[] = {
    [FR_KEY_NUMBER] = value_number,       [FR_KEY_POSITIVE] = value_positive,     [FR_KEY_INTEGER] = value_integer,
    [FR_KEY_BOOL] = value_bool,
    [FR_KEY_CHOICE] = row_choice,         [FR_KEY_AXES] = row_axes,               [FR_KEY_FILE] = value_file,
    [FR_KEY_PAIR] = row_pair,
    [FR_KEY_TABLE] = row_table,           [FR_KEY_CELLS] = value_known,             [FR_KEY_GRID] = value_river_grid,
    [FR_KEY_SIDES] = value_bent_sides,    [FR_KEY_BLOCKS] = value_bent_blocks,    [FR_KEY_INKS] = value_bent_inks,
    [FR_KEY_TRACERS] = value_bent_tracers, [FR_KEY_BED] = value_bent_bed,
};
_Static_assert(sizeof row_types / sizeof *row_types == FR_KEY_TYPES, "every type of key has its decoder");

/* Decodes a table by its rows; `target` is the whole fr_scene_def, to which the rows' offsets refer. */
static fr_result decode_rows(decoder *d, const fr_key *rows, const char *what, void *target)
{
    int count = 0;
    while (rows[count].name)
        count++;
    key *keys = ARENA_NEW(d->arena, key, count + 1);
    if (!keys)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < count; i++)
        keys[i] = (key){rows[i].name, row_types[rows[i].type], rows[i].offset, rows[i].detail, rows[i].unit};
    keys[count] = (key){0};
    const key_set set = {what, keys, false, false};
    return decode_keys(d, &set, target);
}

static fr_result row_table(decoder *d, const key *key, void *target)
{
    return decode_rows(d, key->detail, d->key, target);
}

static bool method_has_axes(const fr_method_info *info)
{
    for (const fr_key *row = info->keys; row->name; row++)
        if (row->type == FR_KEY_CELLS)
            return true;
    return false;
}

static bool method_runs(const decoder *d, const fr_method_info *info)
{
    return fr_method_describe(d->def->method) == info;
}

fr_result value_method_axes(decoder *d, const key *key, void *target)
{
    const fr_method_info *info = key->detail;
    return method_runs(d, info) && method_has_axes(info) ? value_bent_cells(d, key, target) : FR_OK;
}

/* Checks the table of another method by decoding it into a temporary definition. */
static fr_result method_check_table(decoder *d, const fr_method_info *info)
{
    fr_method number;
    fr_scene_def *running = d->def, *aside = ARENA_NEW(d->arena, fr_scene_def, 1);
    if (!aside || !fr_method_find(info->name, &number))
        return FR_ERROR_MEMORY;
    *aside = fr_default_scene(number);
    aside->domain.dims = running->domain.dims;
    d->def = aside;
    fr_result result = method_has_axes(info) ? value_bent_cells(d, NULL, aside) : FR_OK;
    if (result == FR_OK)
        result = decode_rows(d, info->keys, info->name, aside);
    d->def = running;
    return result;
}

fr_result value_method_table(decoder *d, const key *key, void *target)
{
    const fr_method_info *info = key->detail;
    return method_runs(d, info) ? decode_rows(d, info->keys, info->name, target) : method_check_table(d, info);
}
