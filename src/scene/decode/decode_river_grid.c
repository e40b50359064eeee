/* The grid of a river: a function, or channel{…}, annulus{…}, venturi{…}. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "scene/lua/constructors.h"
#include "scene/decode/decode.h"
#include "scene/lua/functions.h"
#include "scene/decode/river_maps.h"

/* The keys of the predefined grids. */
typedef struct map_table {
    river_map map;
    const double (*centre)[2];
    int centre_count;
    double degrees[2];
    double at[2];
    river_venturi venturi;
} map_table;

/* Points have two coordinates, seen from above, in 3D too. */
static fr_result map_point(decoder *d, const key *key, void *target)
{
    (void)key;
    int found;
    number_list list = {2, 2, "a point of the map: {x, y} in metres"};
    return decode_numbers(d, &list, target, &found);
}

static fr_result map_centre(decoder *d, const key *key, void *target)
{
    (void)key;
    map_table *table = target;
    static const list_spec spec = {"{0, 0}, {4, 1}, {8, 0}", sizeof *table->centre, map_point};
    FR_TRY(decode_list(d, &spec, &table->centre, &table->centre_count));
    if (table->centre_count < 2)
        return decode_fail(d, "%s must have two points at the least, from the spring to the mouth", d->key);
    for (int i = 1; i < table->centre_count; i++)
        if (table->centre[i][0] == table->centre[i - 1][0] && table->centre[i][1] == table->centre[i - 1][1]) {
            decode_enter_index(d, i + 1);
            return decode_fail(d, "%s is the same point as the one before it; leave it out", d->key);
        }
    return FR_OK;
}

/* A length, or a function of s, or of s and t. */
static fr_result map_varying(decoder *d, fr_number *number, int args)
{
    if (lua_isfunction(d->lua, -1))
        return functions_of(d, (function_form){args, 1, 0}, &number->function, &number->context);
    if (lua_type(d->lua, -1) != LUA_TNUMBER)
        return decode_fail_type(d, args == 1 ? "a number (m) or a function(s)" : "a number (m) or a function(s, t)");
    return value_positive(d, &(key){.unit = "m"}, &number->value);
}

static fr_result map_width(decoder *d, const key *key, void *target)
{
    (void)key;
    return map_varying(d, target, 1);
}

static fr_result map_depth(decoder *d, const key *key, void *target)
{
    (void)key;
    if (d->def->domain.dims == 2)
        return decode_fail(d, "%s: a river with cells = {%d, %d} is flat; leave depth out, or give cells = {%d, %d, 8}",
                           d->key, d->written[0], d->written[1], d->written[0], d->written[1]);
    return map_varying(d, target, 2);
}

static fr_result map_radii(decoder *d, const key *key, void *target)
{
    (void)key;
    double *radii = target;
    int found;
    number_list list = {2, 2, "two radii (m), at t = 0 and t = 1: {1, 2}"};
    FR_TRY(decode_numbers(d, &list, radii, &found));
    if (!(radii[0] > 0 && radii[1] > 0) || radii[0] == radii[1])
        return decode_fail(d, "%s must be two different positive lengths (m), not %g and %g", d->key, radii[0],
                           radii[1]);
    return FR_OK;
}

static fr_result map_throat(decoder *d, const key *key, void *target)
{
    double *throat = target;
    FR_TRY(value_positive(d, key, throat));
    return *throat <= 1
               ? FR_OK
               : decode_fail(d, "%s is the share of the width that the neck has, at most 1, not %g", d->key, *throat);
}

/* clang-format off */
#define MAP(member) offsetof(map_table, member)
#define DEPTH {"depth", map_depth, MAP(map.depth), NULL, "m"}
/* clang-format on */
static const key channel_keys[] = {
    {"centre", map_centre, 0, NULL, NULL}, {"width", map_width, MAP(map.width), NULL, NULL}, DEPTH, {0}};
static const key annulus_keys[] = {{"radii", map_radii, MAP(map.radii), NULL, NULL},
                                   {"from", value_number, MAP(degrees[0]), NULL, "degrees"},
                                   {"to", value_number, MAP(degrees[1]), NULL, "degrees"},
                                   {"at", map_point, MAP(at), NULL, NULL},
                                   DEPTH,
                                   {0}};
static const key venturi_keys[] = {{"length", value_positive, MAP(venturi.length), NULL, "m"},
                                   {"width", value_positive, MAP(venturi.width), NULL, "m"},
                                   {"throat", map_throat, MAP(venturi.throat), NULL, "a share of the width"},
                                   {"neck", value_not_negative, MAP(venturi.neck), NULL, "m"},
                                   {"at", map_point, MAP(at), NULL, NULL},
                                   DEPTH,
                                   {0}};

static fr_result map_channel(decoder *d, map_table *table)
{
    return river_course_create(d->arena, table->centre, table->centre_count, &table->map.course);
}

static fr_result map_annulus(decoder *d, map_table *table)
{
    double turn = fabs(table->degrees[1] - table->degrees[0]);
    if (!(turn > 0 && turn <= 360))
        return decode_fail(d, "%s goes from %g to %g degrees; a ring has more than 0 and at most 360 of them", d->key,
                           table->degrees[0], table->degrees[1]);
    table->map.ring = true;
    for (int i = 0; i < 2; i++) {
        table->map.centre[i] = table->at[i];
        table->map.angles[i] = table->degrees[i] * FR_PI / 180;
    }
    return FR_OK;
}

/* A straight channel along x with the width of a Venturi tube. */
static fr_result map_venturi(decoder *d, map_table *table)
{
    river_venturi *shape = ARENA_NEW(d->arena, river_venturi, 1);
    if (!shape)
        return FR_ERROR_MEMORY;
    *shape = table->venturi;
    if (!decode_has(d, "neck"))
        shape->neck = shape->length / 5;
    if (shape->neck > 0.6 * shape->length)
        return decode_fail(
            d, "%s: a neck of %g m leaves no room for the slopes, which take a fifth of the length each; at most %g m",
            d->key, shape->neck, 0.6 * shape->length);
    const double line[2][2] = {{table->at[0], table->at[1]}, {table->at[0] + shape->length, table->at[1]}};
    table->map.width = (fr_number){.function = river_venturi_width, .context = shape};
    return river_course_create(d->arena, line, 2, &table->map.course);
}

static const struct map_spec {
    key_set set;
    const char *required[2];
    fr_result (*finish)(decoder *d, map_table *table);
    const char *example;
} map_specs[] = {
    {{"channel", channel_keys, false, false},
     {"centre", "width"},
     map_channel,
     "channel{ centre = {{0, 0}, {4, 1}, {8, 0}}, width = 1 }"},
    {{"annulus", annulus_keys, false, false}, {"radii", "radii"}, map_annulus, "annulus{ radii = {1, 2} }"},
    {{"venturi", venturi_keys, false, false},
     {"length", "width"},
     map_venturi,
     "venturi{ length = 10, width = 1, throat = 0.5 }"},
};

static fr_result map_make(decoder *d, const struct map_spec *spec, fr_river_def *river)
{
    enum { SAMPLES_PER_CELL = 4 };
    map_table table = {.degrees = {0, 360}, .venturi = {.throat = 0.5}};
    FR_TRY(decode_expect(d, spec->set.what));
    FR_TRY(decode_keys(d, &spec->set, &table));
    if (!decode_has(d, spec->required[0]) || !decode_has(d, spec->required[1]))
        return decode_fail(d, "%s: %s needs %s%s%s: %s", d->key, spec->set.what, spec->required[0],
                           spec->required[1] != spec->required[0] ? " and " : "",
                           spec->required[1] != spec->required[0] ? spec->required[1] : "", spec->example);
    table.map.deep = d->def->domain.dims == 3;
    if (table.map.deep && !decode_has(d, "depth"))
        return decode_fail(d,
                           "%s: a river in 3D needs a depth (m), a number or function(s, t): the bed lies so far below "
                           "its surface, z = 0",
                           d->key);
    FR_TRY(spec->finish(d, &table));
    river_map *map = ARENA_NEW(d->arena, river_map, 1);
    if (!map)
        return FR_ERROR_MEMORY;
    *map = table.map;
    river->grid = river_map_at;
    river->grid_context = map;
    return river_map_check(map, SAMPLES_PER_CELL * river->cells[0]);
}

fr_result value_river_grid(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    int dims = def->domain.dims;
    if (lua_isfunction(d->lua, -1))
        return functions_of(d, (function_form){dims, dims, 0}, &def->river.grid, &def->river.grid_context);
    const char *made = constructor_of(d->lua, -1, NULL);
    for (size_t i = 0; made && i < sizeof map_specs / sizeof *map_specs; i++)
        if (!strcmp(made, map_specs[i].set.what))
            return map_make(d, &map_specs[i], &def->river);
    return decode_fail_type(
        d, dims == 2 ? "a function(s, t) that returns x, y, or channel{…}, annulus{…} or venturi{…}"
                     : "a function(s, t, r) that returns x, y, z, or channel{…}, annulus{…} or venturi{…}");
}
