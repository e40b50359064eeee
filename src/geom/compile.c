/* Compiles a shape's definition into a tree of nodes: checks every value and loads every mesh. */
#include "geom/node.h"

/* A deeper tree is an error in the scene (a shape that contains itself), and so is one with more nodes: children may be
   shared, so a short definition can expand to a tree of exponential size. */
enum { MAX_DEPTH = 200, MAX_NODES = 200000 };

/* m. Squares and quotients of lengths in this range stay finite. */
static const double least_length = 1e-12, greatest_length = 1e12;

typedef struct compile_kind {
    const char *name;
    node_setup setup;
    bool wraps_one;   /* exactly one child */
} compile_kind;

static const compile_kind kinds[] = {
    [FR_SHAPE_SPHERE] = {"sphere", sphere_setup, false},
    [FR_SHAPE_ELLIPSOID] = {"ellipsoid", ellipsoid_setup, false},
    [FR_SHAPE_TORUS] = {"torus", torus_setup, false},
    [FR_SHAPE_BOX] = {"box", block_setup, false},
    [FR_SHAPE_CYLINDER] = {"cylinder", cylinder_setup, false},
    [FR_SHAPE_CAPSULE] = {"capsule", capsule_setup, false},
    [FR_SHAPE_CONE] = {"cone", cone_setup, false},
    [FR_SHAPE_PLANE] = {"plane", plane_setup, false},
    [FR_SHAPE_GEAR] = {"gear", gear_setup, false},
    [FR_SHAPE_POLYGON] = {"polygon", polygon_setup, false},
    [FR_SHAPE_EXTRUDE] = {"extrude", extrude_setup, false},
    [FR_SHAPE_REVOLVE] = {"revolve", revolve_setup, false},
    [FR_SHAPE_MESH] = {"mesh", mesh_setup, false},
    [FR_SHAPE_UNION] = {"union", union_setup, false},
    [FR_SHAPE_INTERSECTION] = {"intersection", intersection_setup, false},
    [FR_SHAPE_DIFFERENCE] = {"difference", difference_setup, false},
    [FR_SHAPE_SMOOTH_UNION] = {"smooth_union", smooth_union_setup, false},
    [FR_SHAPE_TRANSLATE] = {"translate", translate_setup, true},
    [FR_SHAPE_ROTATE] = {"rotate", rotate_setup, true},
    [FR_SHAPE_SCALE] = {"scale", scale_setup, true},
    [FR_SHAPE_OFFSET] = {"offset", offset_setup, true},
    [FR_SHAPE_SHELL] = {"shell", shell_setup, true},
    [FR_SHAPE_SDF] = {"sdf", function_setup, false},
};

fr_result node_require_positive(const shape_compiler *c, const char *name, double value)
{
    if (value >= least_length && value <= greatest_length)
        return FR_OK;
    return fr_fail_key(c->key, "%s: %s must be a positive number between %g and %g, it is %g", c->kind, name,
                       least_length, greatest_length, value);
}

fr_result node_require_finite(const shape_compiler *c, const char *name, const double *values, int count)
{
    for (int i = 0; i < count; i++)
        if (!(fabs(values[i]) <= greatest_length))
            return fr_fail_key(c->key, "%s: %s must be made of numbers within ±%g, one is %g", c->kind, name,
                               greatest_length, values[i]);
    return FR_OK;
}

static fr_result compile_check(shape_compiler *c, const fr_shape_def *def)
{
    if (!def)
        return fr_fail_key(c->key, "a shape is missing");
    if ((int)def->kind < 0 || (size_t)def->kind >= sizeof kinds / sizeof *kinds)
        return fr_fail_key(c->key, "there is no shape of kind %d", (int)def->kind);
    if (def->axis < 0 || def->axis > 2)
        return fr_fail_key(c->key, "%s: axis must be x, y or z", kinds[def->kind].name);
    if (def->child_count < 0 || (def->child_count > 0 && !def->children))
        return fr_fail_key(c->key, "%s: its child_count says %d and there is no such list of children",
                           kinds[def->kind].name, def->child_count);
    if (kinds[def->kind].wraps_one && def->child_count != 1)
        return fr_fail_key(c->key, "%s: needs exactly one shape, there are %d", kinds[def->kind].name,
                           def->child_count);
    if (c->depth > MAX_DEPTH)
        return fr_fail_key(c->key, "shapes are nested more than %d deep; does one hold itself?", MAX_DEPTH);
    if (++c->nodes > MAX_NODES)
        return fr_fail_key(c->key, "the shape has more than %d parts; make a mesh of it instead", MAX_NODES);
    return FR_OK;
}

static bool compile_has_children(fr_shape_kind kind)
{
    return kind >= FR_SHAPE_UNION && kind <= FR_SHAPE_SHELL;
}

/* Nested scales multiply: each may be legal and their product still overflow. */
static fr_result compile_scale(shape_compiler *c, const fr_shape_def *def, double *factor)
{
    *factor = def->kind == FR_SHAPE_SCALE ? def->amount : 1;
    double total = c->scale * *factor;
    if (total >= least_length && total <= greatest_length)
        return FR_OK;
    return fr_fail_key(c->key, "scale: the factor must be positive and all factors together within %g and %g, here %g",
                       least_length, greatest_length, total);
}

static fr_result compile_children(shape_compiler *c, const fr_shape_def *def, node *n)
{
    double outer = c->scale, factor;
    FR_TRY(compile_scale(c, def, &factor));
    if (def->child_count > 0) {
        n->children = ARENA_NEW(c->arena, node *, def->child_count);
        if (!n->children)
            return FR_ERROR_MEMORY;
    }
    c->scale = outer * factor;
    c->depth++;
    for (int k = 0; k < def->child_count; k++)
        FR_TRY(node_compile(c, def->children[k], &n->children[k]));
    c->depth--;
    c->scale = outer;
    return FR_OK;
}

fr_result node_compile(shape_compiler *c, const fr_shape_def *def, node **out)
{
    FR_TRY(compile_check(c, def));
    node *n = ARENA_NEW(c->arena, node, 1);
    if (!n)
        return FR_ERROR_MEMORY;
    n->def = *def;
    n->dims = c->dims;
    n->key = c->key;
    if (compile_has_children(def->kind))
        FR_TRY(compile_children(c, def, n));
    c->kind = kinds[def->kind].name;
    FR_TRY(kinds[def->kind].setup(c, n));
    if (!compile_has_children(def->kind))
        n->reach = n->bounds;
    *out = n;
    return FR_OK;
}
