#include "geom/shape.h"

#include <float.h>
#include <stdlib.h>

#include "geom/bake.h"
#include "geom/mesh_store.h"

struct shape {
    arena arena;
    node *root;           /* applies the shape's pose */
    int dims;
    bool has_function;
    const bvh **meshes;   /* taken from the store */
    int mesh_count;
};

fr_shape_def fr_default_shape(fr_shape_kind kind)
{
    return (fr_shape_def){.kind = kind, .axis = 1};
}

static fr_result shape_compile(shape *s, const fr_placed_shape *placed, const char *key)
{
    shape_compiler c = {.arena = &s->arena, .dims = s->dims, .kind = "shape", .scale = 1};
    c.key = arena_strdup(&s->arena, key);
    if (!c.key)
        return FR_ERROR_MEMORY;
    fr_result result = node_compile(&c, placed->shape, &s->root);
    if (result == FR_OK)
        result = node_place(&c, s->root, placed->axis, placed->degrees, placed->at, &s->root);
    s->meshes = c.meshes;
    s->mesh_count = c.mesh_count;
    s->has_function = c.has_function;
    return result;
}

fr_result shape_create(const fr_placed_shape *placed, int dims, const char *key, shape **out)
{
    *out = NULL;
    shape *s = calloc(1, sizeof *s);
    if (!s)
        return fr_fail(FR_ERROR_MEMORY, "out of memory for a shape");
    s->dims = dims;
    fr_result result = shape_compile(s, placed, key);
    if (result != FR_OK) {
        shape_destroy(s);
        return result;
    }
    *out = s;
    return FR_OK;
}

fr_result shape_bake(shape *s, double cell)
{
    return s->dims == 3 ? bake_node(s->root, cell) : FR_OK;
}

fr_result shape_bake_bytes(shape *const *shapes, int count, double cell, double *bytes)
{
    bake_list list = {0};
    fr_result result = FR_OK;
    for (int i = 0; i < count && result == FR_OK; i++)
        result = shapes[i]->dims == 3 ? bake_list_add(&list, shapes[i]->root, cell) : FR_OK;
    *bytes = bake_list_bytes(&list);
    bake_list_free(&list);
    return result;
}

void shape_destroy(shape *s)
{
    if (!s)
        return;
    if (s->root)
        bake_end(s->root);
    for (int i = 0; i < s->mesh_count; i++)
        mesh_store_give_back(s->meshes[i]);
    free(s->meshes);
    arena_free(&s->arena);
    free(s);
}

static line shape_line(const shape *s, const double start[3], double dx)
{
    return (line){.at = {start[0], start[1], s->dims == 2 ? 0 : start[2]}, .step = {dx, 0, 0}};
}

fr_result shape_distance_row(const shape *s, const double start[3], double dx, int n, float *distance)
{
    return shape_distance_part(s, start, dx, 0, n, distance);
}

fr_result shape_distance_part(const shape *s, const double start[3], double dx, int first, int end, float *distance)
{
    double d[LINE_MAX_POINTS];
    line l = shape_line(s, start, dx);
    for (l.first = first; l.first < end; l.first += LINE_MAX_POINTS) {
        l.n = end - l.first < LINE_MAX_POINTS ? end - l.first : LINE_MAX_POINTS;
        FR_TRY(s->root->distance(s->root, &l, d));
        for (int i = 0; i < l.n; i++)
            distance[l.first + i] = (float)clampd(d[i], -FLT_MAX, FLT_MAX);
    }
    return FR_OK;
}

fr_result shape_distance(const shape *s, const double at[3], double *distance)
{
    line l = shape_line(s, at, 0);
    l.n = 1;
    return s->root->distance(s->root, &l, distance);
}

bool shape_is_parallel(const shape *s)
{
    return !s->has_function;
}

uint64_t shape_digest(const shape *s)
{
    return node_digest(s->root->children[0]);
}

void shape_bounds(const shape *s, double min[3], double max[3])
{
    for (int a = 0; a < 3; a++) {
        min[a] = s->root->bounds.min[a];
        max[a] = s->root->bounds.max[a];
    }
}

void shape_place(shape *s, const pose *where)
{
    node_set_pose(s->root, where);
}

double shape_radius(const shape *s)
{
    const box *own = &s->root->children[0]->bounds;
    double square = 0;
    for (int a = 0; a < s->dims; a++) {
        double reach = fmax(fabs(own->min[a]), fabs(own->max[a]));
        square += reach * reach;
    }
    return sqrt(square);
}
