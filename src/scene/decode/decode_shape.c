/* Shapes: sphere{…}, union{…}, translate{…}, … */
#include <string.h>

#include "scene/lua/constructors.h"
#include "scene/decode/decode.h"
#include "scene/lua/functions.h"

enum { MOST_SHAPES = 100000, MOST_DEPTH = 150, NO_AXIS = -1 };

/* A shape's definition and the keys that need further processing. */
typedef struct shape_table {
    fr_shape_def def;
    double size[3];         /* box, centred */
    int axis;               /* NO_AXIS: not given */
    fr_placed_shape placed; /* at and rotation, which every shape may have */
} shape_table;

typedef struct shape_spec {
    const char *name;
    fr_shape_kind kind;
    const key *keys;
    const char *required[3];
    int least_children, most_children;
} shape_spec;

/* clang-format off */
#define FIELD(member) offsetof(shape_table, def.member)
#define PLACE {"at", value_point, offsetof(shape_table, placed.at), NULL, "m"}, \
              {"rotation", value_rotation, offsetof(shape_table, placed), NULL, NULL}
#define AXIS {"axis", value_axis, offsetof(shape_table, axis), NULL, NULL}
#define LENGTH(name) {#name, value_positive, FIELD(name), NULL, "m"}
#define CHILD {"shape", shape_ignore, 0, NULL, NULL}
/* clang-format on */

static fr_result shape_points(decoder *d, const key *key, void *target);
static fr_result shape_polygon(decoder *d, const key *key, void *target);
static fr_result shape_rotation_axis(decoder *d, const key *key, void *target);
static fr_result shape_distance_function(decoder *d, const key *key, void *target);
static fr_result shape_ignore(decoder *d, const key *key, void *target);

static const key sphere_keys[] = {LENGTH(radius), PLACE, {0}};
static const key ellipsoid_keys[] = {{"radii", value_point, FIELD(size), NULL, "m"}, PLACE, {0}};
static const key torus_keys[] = {LENGTH(radius), LENGTH(tube), AXIS, PLACE, {0}};
static const key box_keys[] = {{"size", value_point, offsetof(shape_table, size), NULL, "m"},
                               {"min", value_point, FIELD(min), NULL, "m"},
                               {"max", value_point, FIELD(max), NULL, "m"},
                               {"round", value_not_negative, FIELD(round), NULL, "m"},
                               PLACE,
                               {0}};
static const key cylinder_keys[] = {LENGTH(radius), LENGTH(height), AXIS, PLACE, {0}};
static const key plane_keys[] = {
    {"normal", value_point, FIELD(normal), NULL, NULL}, {"offset", value_number, FIELD(offset), NULL, "m"}, PLACE, {0}};
static const key gear_keys[] = {LENGTH(radius),
                                LENGTH(depth),
                                LENGTH(thickness),
                                AXIS,
                                PLACE,
                                {"teeth", value_integer, FIELD(teeth), NULL, NULL},
                                {"hole", value_not_negative, FIELD(hole), NULL, "m"},
                                {0}};
static const key polygon_keys[] = {{"points", shape_points, 0, NULL, NULL}, PLACE, {0}};
static const key extrude_keys[] = {
    {"points", shape_points, 0, NULL, NULL}, {"polygon", shape_polygon, 0, NULL, NULL}, LENGTH(height), PLACE, {0}};
static const key revolve_keys[] = {
    {"points", shape_points, 0, NULL, NULL}, {"polygon", shape_polygon, 0, NULL, NULL}, PLACE, {0}};
static const key mesh_keys[] = {
    {"file", value_file, FIELD(file), NULL, NULL}, {"size", value_positive, FIELD(size), NULL, "m"}, PLACE, {0}};
static const key union_keys[] = {PLACE, {0}};
static const key smooth_keys[] = {{"k", value_positive, FIELD(amount), NULL, "m"}, PLACE, {0}};
static const key translate_keys[] = {CHILD, {"by", value_point, FIELD(min), NULL, "m"}, PLACE, {0}};
static const key rotate_keys[] = {CHILD,
                                  {"axis", shape_rotation_axis, FIELD(normal), NULL, NULL},
                                  {"degrees", value_number, FIELD(amount), NULL, "degrees"},
                                  PLACE,
                                  {0}};
static const key scale_keys[] = {CHILD, {"factor", value_positive, FIELD(amount), NULL, NULL}, PLACE, {0}};
static const key offset_keys[] = {CHILD, {"amount", value_number, FIELD(amount), NULL, "m"}, PLACE, {0}};
static const key shell_keys[] = {CHILD, {"thickness", value_positive, FIELD(amount), NULL, "m"}, PLACE, {0}};
static const key sdf_keys[] = {{"distance", shape_distance_function, 0, NULL, NULL}, PLACE, {0}};

static const shape_spec shape_specs[] = {
    {"sphere", FR_SHAPE_SPHERE, sphere_keys, {"radius"}, 0, 0},
    {"circle", FR_SHAPE_SPHERE, sphere_keys, {"radius"}, 0, 0},
    {"ellipsoid", FR_SHAPE_ELLIPSOID, ellipsoid_keys, {"radii"}, 0, 0},
    {"torus", FR_SHAPE_TORUS, torus_keys, {"radius", "tube"}, 0, 0},
    {"box", FR_SHAPE_BOX, box_keys, {0}, 0, 0},
    {"rectangle", FR_SHAPE_BOX, box_keys, {0}, 0, 0},
    {"cylinder", FR_SHAPE_CYLINDER, cylinder_keys, {"radius"}, 0, 0},
    {"capsule", FR_SHAPE_CAPSULE, cylinder_keys, {"radius", "height"}, 0, 0},
    {"cone", FR_SHAPE_CONE, cylinder_keys, {"radius", "height"}, 0, 0},
    {"plane", FR_SHAPE_PLANE, plane_keys, {"normal"}, 0, 0},
    {"gear", FR_SHAPE_GEAR, gear_keys, {"radius", "teeth", "depth"}, 0, 0},
    {"polygon", FR_SHAPE_POLYGON, polygon_keys, {0}, 0, 0},
    {"extrude", FR_SHAPE_EXTRUDE, extrude_keys, {0}, 0, 0},
    {"revolve", FR_SHAPE_REVOLVE, revolve_keys, {0}, 0, 0},
    {"mesh", FR_SHAPE_MESH, mesh_keys, {"file"}, 0, 0},
    {"union", FR_SHAPE_UNION, union_keys, {0}, 1, MOST_SHAPES},
    {"intersection", FR_SHAPE_INTERSECTION, union_keys, {0}, 1, MOST_SHAPES},
    {"difference", FR_SHAPE_DIFFERENCE, union_keys, {0}, 1, MOST_SHAPES},
    {"smooth_union", FR_SHAPE_SMOOTH_UNION, smooth_keys, {"k"}, 1, MOST_SHAPES},
    {"translate", FR_SHAPE_TRANSLATE, translate_keys, {"by"}, 1, 1},
    {"rotate", FR_SHAPE_ROTATE, rotate_keys, {"degrees"}, 1, 1},
    {"scale", FR_SHAPE_SCALE, scale_keys, {"factor"}, 1, 1},
    {"offset", FR_SHAPE_OFFSET, offset_keys, {"amount"}, 1, 1},
    {"shell", FR_SHAPE_SHELL, shell_keys, {"thickness"}, 1, 1},
    {"sdf", FR_SHAPE_SDF, sdf_keys, {0}, 0, 0},
};
enum { SHAPE_SPECS = sizeof shape_specs / sizeof *shape_specs };

/* `shape` is decoded with the children: shape = … may replace the first entry. */
static fr_result shape_ignore(decoder *d, const key *key, void *target)
{
    (void)d, (void)key, (void)target;
    return FR_OK;
}

static fr_result shape_one_point(decoder *d, const key *key, void *target)
{
    (void)key;
    int found;
    number_list list = {2, 2, "a point {x, y}"};
    return decode_numbers(d, &list, target, &found);
}

static fr_result shape_points(decoder *d, const key *key, void *target)
{
    (void)key;
    shape_table *table = target;
    static const list_spec points = {"{0, 0}, {1, 0}, {0, 1}", sizeof(double[2]), shape_one_point};
    FR_TRY(decode_list(d, &points, &table->def.points, &table->def.point_count));
    if (table->def.point_count < 3)
        return decode_fail(d, "%s: a polygon needs at least three points, found %d", d->key, table->def.point_count);
    return FR_OK;
}

/* Points given as entries without names: polygon{ {0, 0}, {1, 0}, {0, 1} }. */
static fr_result shape_bare_points(decoder *d, shape_table *table)
{
    if (lua_rawlen(d->lua, -1) > MOST_SHAPES)
        return decode_fail(d, "%s has %llu points; the limit is %d", d->key, (unsigned long long)lua_rawlen(d->lua, -1),
                           MOST_SHAPES);
    lua_createtable(d->lua, (int)lua_rawlen(d->lua, -1), 0);
    for (lua_Integer i = 1; lua_rawgeti(d->lua, -2, i) != LUA_TNIL; i++)
        lua_rawseti(d->lua, -2, i);
    lua_pop(d->lua, 1);
    FR_TRY(shape_points(d, NULL, table));
    lua_pop(d->lua, 1);
    return FR_OK;
}

/* An outline has no position of its own; the solid made from it has. */
static const key outline_keys[] = {{"points", shape_points, 0, NULL, NULL}, {0}};
static const key_set outline_set = {"a polygon that is extruded or revolved", outline_keys, false, true};

/* The polygon that is extruded or revolved. */
static fr_result shape_polygon(decoder *d, const key *key, void *target)
{
    (void)key;
    shape_table *table = target;
    FR_TRY(decode_expect(d, "polygon"));
    FR_TRY(decode_keys(d, &outline_set, table));
    return table->def.points ? FR_OK : shape_bare_points(d, table);
}

static fr_result shape_outline(decoder *d, shape_table *table)
{
    bool bare = lua_rawlen(d->lua, -1) > 0;
    if (table->def.points)
        return bare ? decode_fail(d, "%s has its points twice; give them once", d->key) : FR_OK;
    if (!bare)
        return decode_fail(d, "%s needs points = {{x, y}, …}", d->key);
    if (table->def.kind == FR_SHAPE_POLYGON)
        return shape_bare_points(d, table);
    lua_rawgeti(d->lua, -1, 1);
    size_t outer = decode_enter_index(d, 1);
    FR_TRY(shape_polygon(d, NULL, table));
    decode_leave(d, outer);
    lua_pop(d->lua, 1);
    return FR_OK;
}

/* A letter or a vector. */
static fr_result shape_rotation_axis(decoder *d, const key *key, void *target)
{
    double *normal = target;
    if (lua_istable(d->lua, -1)) {
        FR_TRY(value_point(d, key, normal));
        if (normal[0] == 0 && normal[1] == 0 && normal[2] == 0)
            return decode_fail(d, "%s must not be zero", d->key);
        return FR_OK;
    }
    int axis;
    FR_TRY(value_axis(d, key, &axis));
    if (d->def->domain.dims == 2 && axis != 2)
        return decode_fail(d, "%s: a 2D scene turns about z only", d->key);
    normal[axis] = 1;
    return FR_OK;
}

static fr_result shape_distance_function(decoder *d, const key *key, void *target)
{
    (void)key;
    shape_table *table = target;
    if (!lua_isfunction(d->lua, -1))
        return decode_fail_type(d, "a function(x, y, z) that returns a distance");
    return functions_shape(d, &table->def);
}

static fr_result shape_needs(decoder *d, const char *shape, const char *name)
{
    return decode_has(d, name) ? FR_OK : decode_fail(d, "%s: %s{…} needs %s", d->key, shape, name);
}

/* The default axis is y; in 2D tori, gears and cylinders without height have the axis z, so they lie in the plane. */
static fr_result shape_settle_axis(decoder *d, const char *name, shape_table *table)
{
    fr_shape_def *def = &table->def;
    bool flat = d->def->domain.dims == 2;
    bool in_plane = def->kind == FR_SHAPE_TORUS || def->kind == FR_SHAPE_GEAR ||
                    (def->kind == FR_SHAPE_CYLINDER && def->height == 0);
    def->axis = table->axis != NO_AXIS ? table->axis : flat && in_plane ? 2 : 1;
    bool endless = flat && def->axis == 2;
    if (def->kind == FR_SHAPE_CYLINDER && !endless)
        return shape_needs(d, name, "height");
    if (def->kind == FR_SHAPE_GEAR && !endless)
        return shape_needs(d, name, "thickness");
    if (def->kind == FR_SHAPE_EXTRUDE && !flat)
        return shape_needs(d, name, "height");
    return FR_OK;
}

static fr_result shape_settle_box(decoder *d, shape_table *table)
{
    bool sized = decode_has(d, "size"), low = decode_has(d, "min"), high = decode_has(d, "max");
    if (sized == (low || high) || low != high)
        return decode_fail(d, "%s: a box needs size = {…}, or min = {…} and max = {…}", d->key);
    fr_shape_def *def = &table->def;
    for (int a = 0; a < d->def->domain.dims; a++) {
        if (sized) {
            def->min[a] = -0.5 * table->size[a];
            def->max[a] = 0.5 * table->size[a];
        }
        if (!(def->max[a] > def->min[a]))
            return decode_fail(d, "%s: the box must be wider than 0 along %c", d->key, "xyz"[a]);
    }
    return FR_OK;
}

static fr_result shape_settle_function(decoder *d, shape_table *table)
{
    if (table->def.function)
        return FR_OK;
    lua_rawgeti(d->lua, -1, 1);
    FR_TRY(shape_distance_function(d, NULL, table));
    lua_pop(d->lua, 1);
    return FR_OK;
}

static fr_result shape_settle_vectors(decoder *d, const char *name, fr_shape_def *def)
{
    for (int a = 0; a < d->def->domain.dims && def->kind == FR_SHAPE_ELLIPSOID; a++)
        if (!(def->size[a] > 0))
            return decode_fail(d, "%s: the radii must be positive", d->key);
    bool zero = def->normal[0] == 0 && def->normal[1] == 0 && def->normal[2] == 0;
    if (def->kind == FR_SHAPE_PLANE && zero)
        return decode_fail(d, "%s: the normal must not be zero", d->key);
    if (def->kind == FR_SHAPE_GEAR && (def->teeth < 1 || !(def->depth < def->radius) || !(def->hole < def->radius)))
        return decode_fail(d, "%s: a gear needs at least one tooth, and depth and hole less than its radius", d->key);
    if (def->kind == FR_SHAPE_ROTATE && zero) {
        if (d->def->domain.dims == 3)
            return shape_needs(d, name, "axis");
        def->normal[2] = 1;
    }
    return FR_OK;
}

/* Derives and checks what depends on several keys. */
static fr_result shape_settle(decoder *d, const shape_spec *spec, shape_table *table)
{
    for (int i = 0; i < 3 && spec->required[i]; i++)
        FR_TRY(shape_needs(d, spec->name, spec->required[i]));
    FR_TRY(shape_settle_axis(d, spec->name, table));
    FR_TRY(shape_settle_vectors(d, spec->name, &table->def));
    switch (table->def.kind) {
    case FR_SHAPE_BOX:
        return shape_settle_box(d, table);
    case FR_SHAPE_POLYGON:
    case FR_SHAPE_EXTRUDE:
    case FR_SHAPE_REVOLVE:
        return shape_outline(d, table);
    case FR_SHAPE_SDF:
        return shape_settle_function(d, table);
    default:
        return FR_OK;
    }
}

static fr_result shape_children(decoder *d, const shape_spec *spec, fr_shape_def *def)
{
    bool named = spec->most_children == 1 && decode_has(d, "shape");
    lua_Unsigned listed = lua_rawlen(d->lua, -1);
    lua_Unsigned count = named ? listed + 1 : listed;
    if (spec->most_children > 1 && count > (lua_Unsigned)spec->most_children)
        return decode_fail(d, "%s: %s{…} has %llu shapes; the limit is %d; make a mesh of them instead", d->key,
                           spec->name, (unsigned long long)count, spec->most_children);
    if (count < (lua_Unsigned)spec->least_children || count > (lua_Unsigned)spec->most_children)
        return decode_fail(d, "%s: %s{…} takes %s, found %llu", d->key, spec->name,
                           spec->most_children == 1 ? "one shape" : "at least one shape", (unsigned long long)count);
    const fr_shape_def **children = ARENA_NEW(d->arena, const fr_shape_def *, count);
    if (!children)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < (int)count; i++) {
        if (named)
            lua_pushliteral(d->lua, "shape");
        else
            lua_pushinteger(d->lua, i + 1);
        lua_rawget(d->lua, -2);
        size_t outer = named ? decode_enter(d, "shape") : decode_enter_index(d, i + 1);
        FR_TRY(value_shape(d, NULL, &children[i]));
        decode_leave(d, outer);
        lua_pop(d->lua, 1);
    }
    def->children = children;
    def->child_count = (int)count;
    return FR_OK;
}

static const fr_shape_def *shape_wrap(decoder *d, fr_shape_kind kind, const fr_shape_def *inner, fr_shape_def **outer)
{
    const fr_shape_def **children = ARENA_NEW(d->arena, const fr_shape_def *, 1);
    *outer = ARENA_NEW(d->arena, fr_shape_def, 1);
    if (!children || !*outer || !inner)
        return NULL;
    children[0] = inner;
    **outer = fr_default_shape(kind);
    (*outer)->children = children;
    (*outer)->child_count = 1;
    return *outer;
}

/* Stores the definition in the arena, wrapped in its rotation and translation if it has them. */
static fr_result shape_finish(decoder *d, const shape_table *table, const fr_shape_def **out)
{
    fr_shape_def *copy = ARENA_NEW(d->arena, fr_shape_def, 1), *around;
    if (!copy)
        return FR_ERROR_MEMORY;
    *copy = table->def;
    const fr_shape_def *shape = copy;
    if (decode_has(d, "rotation") && (shape = shape_wrap(d, FR_SHAPE_ROTATE, shape, &around))) {
        memcpy(around->normal, table->placed.axis, sizeof around->normal);
        around->amount = table->placed.degrees;
    }
    if (decode_has(d, "at") && (shape = shape_wrap(d, FR_SHAPE_TRANSLATE, shape, &around)))
        memcpy(around->min, table->placed.at, sizeof around->min);
    *out = shape;
    return shape ? FR_OK : FR_ERROR_MEMORY;
}

static const shape_spec *shape_find(const char *name)
{
    for (int i = 0; name && i < SHAPE_SPECS; i++)
        if (!strcmp(shape_specs[i].name, name))
            return &shape_specs[i];
    return NULL;
}

static bool shape_has_items(const shape_spec *spec)
{
    return spec->most_children > 0 || spec->kind == FR_SHAPE_SDF ||
           (spec->kind >= FR_SHAPE_POLYGON && spec->kind <= FR_SHAPE_REVOLVE);
}

fr_result value_shape(decoder *d, const key *key, void *target)
{
    (void)key;
    int line = 0;
    const shape_spec *spec = shape_find(constructor_of(d->lua, -1, &line));
    if (!spec)
        return decode_fail_type(d, "a shape such as sphere{ radius = 0.1 }");
    lines_add_call(d->lines, d->key, line);
    if (++d->depth > MOST_DEPTH)
        return decode_fail(d, "shapes are nested deeper than the limit of %d; does one hold itself?", MOST_DEPTH);
    if (++d->shapes > MOST_SHAPES)
        return decode_fail(d, "the scene has more shapes than the limit of %d; make a mesh of them instead",
                           MOST_SHAPES);
    shape_table table = {.def = fr_default_shape(spec->kind), .axis = NO_AXIS};
    key_set set = {spec->name, spec->keys, false, shape_has_items(spec)};
    FR_TRY(decode_keys(d, &set, &table));
    FR_TRY(shape_settle(d, spec, &table));
    if (spec->most_children > 0)
        FR_TRY(shape_children(d, spec, &table.def));
    d->depth--;
    return shape_finish(d, &table, target);
}
