#include "render/body/models.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* Cells of a body's mesh along the longest side of the domain, if it were as large. */
static const double models_fine = 400;

static bool models_equal(const double *a, const double *b, int count)
{
    for (int i = 0; i < count; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* The parts that only some kinds have; what a kind does not use may hold anything. */
static bool models_same_parts(const fr_shape_def *a, const fr_shape_def *b);

/* Whether two definitions are of one shape. Functions are one if they and their contexts are. */
static bool models_same(const fr_shape_def *a, const fr_shape_def *b)
{
    const double own[] = {a->radius,    a->tube, a->height, a->round, a->depth,
                          a->thickness, a->hole, a->offset, a->amount},
                 its[] = {b->radius,    b->tube, b->height, b->round, b->depth,
                          b->thickness, b->hole, b->offset, b->amount};
    if (a == b)
        return true;
    return a->kind == b->kind && a->teeth == b->teeth && a->axis == b->axis &&
           models_equal(own, its, sizeof own / sizeof *own) && models_equal(a->min, b->min, 3) &&
           models_equal(a->max, b->max, 3) && models_equal(a->size, b->size, 3) &&
           models_equal(a->normal, b->normal, 3) && models_same_parts(a, b);
}

static bool models_same_parts(const fr_shape_def *a, const fr_shape_def *b)
{
    const bool outline = a->kind >= FR_SHAPE_POLYGON && a->kind <= FR_SHAPE_REVOLVE,
               combines = a->kind >= FR_SHAPE_UNION && a->kind <= FR_SHAPE_SHELL;
    if (a->kind == FR_SHAPE_SDF)
        return a->function == b->function && a->context == b->context;
    if (a->kind == FR_SHAPE_MESH)
        return strcmp(a->file, b->file) == 0;
    if (outline)
        return a->point_count == b->point_count && models_equal(a->points[0], b->points[0], 2 * a->point_count);
    bool same = !combines || a->child_count == b->child_count;
    for (int i = 0; combines && same && i < a->child_count; i++)
        same = models_same(a->children[i], b->children[i]);
    return same;
}

static double models_cell(const fr_scene_def *def)
{
    double longest = 0;
    for (int a = 0; a < def->domain.dims; a++)
        longest = fmax(longest, def->domain.size[a]);
    return longest / models_fine;
}

/* Whether the mesh lies behind the tangent planes of some of its vertices, spread evenly over all. */
static bool models_convex(const fr_model *model)
{
    enum { PLANES = 256 };
    const fr_mesh *mesh = &model->mesh;
    const float allowed = 2e-3f * (float)fmax(model->size[0], fmax(model->size[1], model->size[2]));
    const int64_t stride = mesh->vertex_count / PLANES + 1;
    for (int64_t v = 0; v < mesh->vertex_count; v += stride) {
        const float *p = mesh->vertices[v], *n = mesh->normals[v];
        for (int64_t w = 0; w < mesh->vertex_count; w++) {
            const float *q = mesh->vertices[w];
            if ((q[0] - p[0]) * n[0] + (q[1] - p[1]) * n[1] + (q[2] - p[2]) * n[2] > allowed)
                return false;
        }
    }
    return true;
}

static bool models_edged(const fr_mesh *mesh)
{
    const float crease = 0.75f; /* cosine between normals at the corners of one triangle */
    for (int64_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const float *n = mesh->normals[mesh->triangles[t][k]], *m = mesh->normals[mesh->triangles[t][(k + 1) % 3]];
            if (n[0] * m[0] + n[1] * m[1] + n[2] * m[2] < crease)
                return true;
        }
    return false;
}

/* Without Embree there is no tracer; pictures that need one say so. */
static fr_result models_add(fr_models *m, const fr_shape_def *shape, double cell)
{
    models_one *one = &m->ones[m->count];
    FR_TRY(fr_model_create(shape, m->dims, cell, &one->model));
    one->shape = shape;
    m->count++;
    if (m->dims == 2)
        return FR_OK;
    one->convex = models_convex(&one->model);
    one->edged = models_edged(&one->model.mesh);
    fr_result result = tracer_of_part(m->ones[0].tracer, &one->model.mesh, &one->tracer);
    return result == FR_ERROR_UNSUPPORTED ? FR_OK : result;
}

static fr_result models_fill(const fr_scene_def *def, fr_models *m)
{
    for (int i = 0; i < def->body_count; i++) {
        const fr_body_def *body = &def->bodies[i];
        int found = 0;
        while (found < m->count && !models_same(m->ones[found].shape, body->shape.shape))
            found++;
        if (found == m->count)
            FR_TRY(models_add(m, body->shape.shape, models_cell(def)));
        m->of[i] = found;
        m->textures[i] = texture_of_body(body, &m->ones[found].model, i);
    }
    return FR_OK;
}

fr_result fr_models_create(const fr_scene_def *def, fr_models **out)
{
    const int count = def->body_count;
    fr_models *m = *out = MEMORY_NEW(fr_models, 1);
    if (!m)
        return FR_ERROR_MEMORY;
    *m = (fr_models){def->domain.dims,           MEMORY_NEW(models_one, count + 1), 0,
                     MEMORY_NEW(int, count + 1), MEMORY_NEW(texture, count + 1),    count};
    fr_result result = m->ones && m->of && m->textures ? models_fill(def, m) : FR_ERROR_MEMORY;
    if (result != FR_OK) {
        fr_models_destroy(m);
        *out = NULL;
    }
    return result;
}

void fr_models_destroy(fr_models *m)
{
    if (!m)
        return;
    for (int i = 0; i < m->count; i++) {
        tracer_destroy(m->ones[i].tracer);
        fr_model_destroy(&m->ones[i].model);
    }
    memory_free(m->ones);
    memory_free(m->of);
    memory_free(m->textures);
    memory_free(m);
}
