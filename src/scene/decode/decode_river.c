/* Rivers: blocks of cells, inks and passive particles. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "scene/lua/constructors.h"
#include "scene/decode/decode.h"
#include "scene/lua/functions.h"

/* Integers, one per axis. */
static fr_result river_integers(decoder *d, const number_list *list, int values[3], int *found)
{
    double numbers[3] = {0};
    FR_TRY(decode_numbers(d, list, numbers, found));
    for (int a = 0; a < 3; a++) {
        if (numbers[a] != floor(numbers[a]) || fabs(numbers[a]) > INT_MAX)
            return decode_fail(d, "%s must be made of whole numbers, not %g", d->key, numbers[a]);
        values[a] = (int)numbers[a];
    }
    return FR_OK;
}

/* --res N: N cells along the axis that has most, the others in the same ratio. */
static void river_resize(const decoder *d, int cells[3])
{
    int most = 0;
    for (int a = 0; a < 3; a++)
        most = cells[a] > most ? cells[a] : most;
    for (int a = 0; a < 3 && d->res > 0 && most > 0; a++)
        if (cells[a] > 0)
            cells[a] = (int)fmax(1, round((double)cells[a] * d->res / most));
}

fr_result value_bent_cells(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    if (!lua_istable(d->lua, -1))
        return decode_fail_type(d, "a table such as { cells = {100, 20}, grid = channel{…} }");
    if (!decode_has(d, "cells"))
        return decode_fail(
            d, "river.cells is missing: how many cells lie along the river and across it, cells = {100, 20}");
    lua_pushliteral(d->lua, "cells");
    lua_rawget(d->lua, -2);
    size_t outer = decode_enter(d, "cells");
    const number_list list = {2, 3, "numbers of cells: {along, across} (2D) or {along, across, deep} (3D)"};
    FR_TRY(river_integers(d, &list, d->written, &def->domain.dims));
    for (int a = 0; a < def->domain.dims; a++)
        if (d->written[a] < 1)
            return decode_fail(d, "river.cells must be made of whole numbers from 1 on, not %d", d->written[a]);
    decode_leave(d, outer);
    lua_pop(d->lua, 1);
    memcpy(def->river.cells, d->written, sizeof def->river.cells);
    river_resize(d, def->river.cells);
    return FR_OK;
}

static fr_result river_corner(decoder *d, const key *key, void *target)
{
    (void)key;
    int dims = d->def->domain.dims, found;
    const number_list list = {dims, dims,
                              dims == 2 ? "the numbers of a cell: {along, across}, from 0 on"
                                        : "the numbers of a cell: {along, across, deep}, from 0 on"};
    return river_integers(d, &list, target, &found);
}

static const key cells_keys[] = {{"from", river_corner, offsetof(fr_cells_def, from), NULL, NULL},
                                 {"to", river_corner, offsetof(fr_cells_def, to), NULL, NULL},
                                 {0}};
static const key_set cells_set = {"cells", cells_keys, false, false};

/* Blocks are given in the cells that the scene writes. With --res they are converted, so that a block keeps its
   place. */
static fr_result river_cells(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_cells_def *cells = target;
    FR_TRY(decode_expect(d, "cells"));
    FR_TRY(decode_keys(d, &cells_set, cells));
    if (!decode_has(d, "from") || !decode_has(d, "to"))
        return decode_fail(
            d, "%s needs from and to, its first and its last cell: cells{ from = {40, 5}, to = {44, 9} }", d->key);
    for (int a = 0; a < d->def->domain.dims; a++) {
        int written = d->written[a], now = d->def->river.cells[a];
        bool inside = cells->from[a] >= 0 && cells->from[a] <= cells->to[a] && cells->to[a] < written;
        if (now == written || !inside)
            continue;
        cells->from[a] = (int)fmin(round((double)cells->from[a] * now / written), now - 1);
        cells->to[a] = (int)fmax(round((double)(cells->to[a] + 1) * now / written) - 1, cells->from[a]);
    }
    return FR_OK;
}

/* An ink: a scalar and its sources. */
typedef struct ink_table {
    fr_scalar_def scalar;
    const fr_cells_def *cells;
    int cell_count;
    fr_number value;
    double rate, from, to;
} ink_table;

/* cells{…} or a list of them. */
static fr_result ink_source(decoder *d, const key *key, void *target)
{
    ink_table *ink = target;
    static const list_spec spec = {"cells{…}", sizeof(fr_cells_def), river_cells};
    if (!constructor_of(d->lua, -1, NULL))
        return decode_list(d, &spec, &ink->cells, &ink->cell_count);
    fr_cells_def *one = ARENA_NEW(d->arena, fr_cells_def, 1);
    if (!one)
        return FR_ERROR_MEMORY;
    ink->cells = one;
    ink->cell_count = 1;
    return river_cells(d, key, one);
}

static const key ink_keys[] = {{"source", ink_source, 0, NULL, NULL},
                               {"value", value_varying, offsetof(ink_table, value), NULL, NULL},
                               {"rate", value_not_negative, offsetof(ink_table, rate), NULL, "1/s"},
                               {"from", value_number, offsetof(ink_table, from), NULL, "s"},
                               {"to", value_end, offsetof(ink_table, to), NULL, "s"},
                               DECODE_SCALAR_KEYS,
                               {0}};
static const key_set ink_set = {"an ink", ink_keys, false, false};

/* By default a source keeps its ink at 1 for ever. Keys of sources are refused in an ink without a source. */
static fr_result ink_finish(decoder *d, void *target)
{
    static const char *const of_sources[] = {"value", "rate", "from", "to"};
    ink_table *ink = target;
    if (!decode_has(d, "value"))
        ink->value.value = 1;
    if (!decode_has(d, "to"))
        ink->to = INFINITY;
    for (size_t i = 0; i < sizeof of_sources / sizeof *of_sources; i++)
        if (ink->cell_count == 0 && decode_has(d, of_sources[i]))
            return decode_fail(
                d, "%s: %s says what a source gives, and this ink has none: source = cells{ from = {…}, to = {…} }",
                d->key, of_sources[i]);
    return FR_OK;
}

/* Appends the inks to the scene's scalars. */
static fr_result inks_declare(decoder *d, const ink_table *inks, int count)
{
    fr_scene_def *def = d->def;
    fr_scalar_def *all = ARENA_NEW(d->arena, fr_scalar_def, def->scalar_count + count);
    if (!all)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < def->scalar_count; i++)
        all[i] = def->scalars[i];
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < def->scalar_count; i++)
            if (!strcmp(def->scalars[i].name, inks[k].scalar.name)) {
                decode_enter(d, inks[k].scalar.name);
                return decode_fail(d, "%s: scalars has '%s' too; keep one of them", d->key, inks[k].scalar.name);
            }
        all[def->scalar_count + k] = inks[k].scalar;
    }
    def->scalars = all;
    def->scalar_count += count;
    return FR_OK;
}

static fr_result inks_pour(decoder *d, const ink_table *inks, int count)
{
    int made = 0, wanted = 0;
    for (int k = 0; k < count; k++)
        wanted += inks[k].cell_count;
    fr_source_def *sources = ARENA_NEW(d->arena, fr_source_def, wanted + 1);
    fr_scalar_value *values = ARENA_NEW(d->arena, fr_scalar_value, count + 1);
    if (!sources || !values)
        return FR_ERROR_MEMORY;
    for (int k = 0; k < count; k++) {
        values[k] = (fr_scalar_value){inks[k].scalar.name, inks[k].value};
        for (int c = 0; c < inks[k].cell_count; c++)
            sources[made++] = (fr_source_def){.in_cells = true,
                                              .cells = inks[k].cells[c],
                                              .scalars = &values[k],
                                              .scalar_count = 1,
                                              .rate = inks[k].rate,
                                              .from = inks[k].from,
                                              .to = inks[k].to};
    }
    d->def->sources = sources;
    d->def->source_count = made;
    return FR_OK;
}

fr_result value_bent_inks(decoder *d, const key *key, void *target)
{
    (void)key;
    (void)target;
    static const scalar_table table = {"inks have names: write inks = { blue = { source = cells{…} } }", &ink_set,
                                       sizeof(ink_table), ink_finish};
    const ink_table *inks;
    int count;
    FR_TRY(decode_scalar_table(d, &table, &inks, &count));
    FR_TRY(inks_declare(d, inks, count));
    return inks_pour(d, inks, count);
}

static fr_result particles_cells(decoder *d, const key *key, void *target)
{
    fr_tracers_def *tracers = target;
    tracers->in_cells = true;
    return river_cells(d, key, &tracers->cells);
}

static const key particles_keys[] = {
    {"cells", particles_cells, 0, NULL, NULL},
    {"count", value_integer, offsetof(fr_tracers_def, count), NULL, NULL},
    {"rate", value_not_negative, offsetof(fr_tracers_def, rate), NULL, "particles per second"},
    {"from", value_number, offsetof(fr_tracers_def, from), NULL, "s"},
    {"to", value_end, offsetof(fr_tracers_def, to), NULL, "s"},
    {"lifetime", value_positive, offsetof(fr_tracers_def, lifetime), NULL, "s"},
    {"seed", value_integer, offsetof(fr_tracers_def, seed), NULL, NULL},
    {"renewed", value_bool, offsetof(fr_tracers_def, renewed), NULL, NULL},
    {0}};
static const key_set particles_set = {"particles", particles_keys, false, false};

static fr_result particles_value(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_tracers_def *tracers = target;
    tracers->to = INFINITY;
    FR_TRY(decode_expect(d, "particles"));
    FR_TRY(decode_keys(d, &particles_set, tracers));
    if ((decode_has(d, "from") || decode_has(d, "to")) && !decode_has(d, "rate"))
        return decode_fail(d, "%s: from and to say when particles come one by one; give their rate", d->key);
    return FR_OK;
}

/* A number (particles all over the river, renewed when they leave) or a list. */
fr_result value_bent_tracers(decoder *d, const key *key, void *target)
{
    fr_scene_def *def = target;
    static const list_spec spec = {"particles{…}", sizeof(fr_tracers_def), particles_value};
    if (lua_type(d->lua, -1) != LUA_TNUMBER)
        return decode_list(d, &spec, &def->tracers, &def->tracer_count);
    fr_tracers_def *all = ARENA_NEW(d->arena, fr_tracers_def, 1);
    if (!all)
        return FR_ERROR_MEMORY;
    *all = (fr_tracers_def){.to = INFINITY, .renewed = true};
    def->tracers = all;
    def->tracer_count = 1;
    return value_integer(d, key, &all->count);
}

fr_result value_bent_blocks(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    static const list_spec spec = {"cells{ from = {…}, to = {…} }", sizeof(fr_cells_def), river_cells};
    return decode_list(d, &spec, &def->river.blocks, &def->river.block_count);
}

fr_result value_bent_bed(decoder *d, const key *key, void *target)
{
    fr_scene_def *def = target;
    fr_number *bed = &def->river.bed;
    def->river.has_bed = true;
    if (lua_isfunction(d->lua, -1))
        return functions_of(d, (function_form){2, 1, 0}, &bed->function, &bed->context);
    if (lua_type(d->lua, -1) != LUA_TNUMBER)
        return decode_fail_type(d, "a number (m) or a function(x, y)");
    return value_number(d, key, &bed->value);
}
