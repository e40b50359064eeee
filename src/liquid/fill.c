/* Where the liquid is at the start, where blobs are thrown in, and the distances to shapes that both need.

   The distances of shapes end at their own faces. A box that is filled up to a wall has a face there, though the liquid
   has no surface: distances near walls would be too small. So only signs are taken from the shapes, and for cells
   beside the surface the places where grid lines cross it: with θ_a the way to the nearest crossing along axis a, the
   plane through the crossings is |φ| = (Σ 1/θ_a²)^(−1/2) away. Exact for planes; the rest follows by redistancing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "grid/halo.h"
#include "liquid/liquid.h"
#include "mac/solids/cover.h"
#include "method/evaluate.h"

typedef struct fill_shapes {
    shape *const *list;
    const fr_fill_def *const *def; /* of each; empty for shapes that are no fills */
    int count;
    const domain *d;
    double far; /* m: distance of cells that are not beside the surface, until they get their own */
} fill_shapes;

static bool fill_is_due(const fr_fill_def *fill, liquid_due due)
{
    return fill->from > due.after && fill->from <= due.until;
}

bool liquid_fills_due(const liquid_run *run, liquid_due due)
{
    for (int i = 0; i < run->fills.count; i++)
        if (fill_is_due(&run->fills.defs[i], due))
            return true;
    return false;
}

fr_result liquid_fills_create(liquid_run *run)
{
    const fr_scene_def *def = run->flow.base.def;
    liquid_fills *f = &run->fills;
    f->defs = def->fill;
    f->shapes = MEMORY_NEW(shape *, def->fill_count + 1);
    f->due = MEMORY_NEW(shape *, def->fill_count + 1);
    f->due_def = MEMORY_NEW(const fr_fill_def *, def->fill_count + 1);
    if (!f->shapes || !f->due || !f->due_def)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < def->fill_count; i++) {
        char key[32];
        snprintf(key, sizeof key, "fill[%d]", i + 1);
        FR_TRY(shape_create(&def->fill[i].shape, run->flow.model->domain.dims, key, &f->shapes[f->count]));
        FR_TRY(cover_check_inside(f->shapes[f->count++], &run->flow.model->domain, key));
    }
    return FR_OK;
}

void liquid_fills_destroy(liquid_run *run)
{
    liquid_fills *f = &run->fills;
    for (int i = 0; i < f->count; i++)
        shape_destroy(f->shapes[i]);
    memory_free(f->shapes);
    memory_free(f->due);
    memory_free(f->due_def);
}

static fill_shapes fill_due(const liquid_run *run, liquid_due due, const domain *d)
{
    const liquid_fills *f = &run->fills;
    int count = 0;
    for (int i = 0; i < f->count; i++) {
        const fr_fill_def *def = &f->defs[i];
        if (!fill_is_due(def, due))
            continue;
        f->due[count] = f->shapes[i];
        f->due_def[count++] = def;
    }
    return (fill_shapes){.list = f->due, .def = f->due_def, .count = count, .d = d, .far = 1e3 * domain_min_h(d)};
}

/* The distance to the nearest of all shapes at one point, m; to `which` of them. */
static fr_result fill_at(const fill_shapes *f, const double at[3], double *distance)
{
    *distance = INFINITY;
    for (int i = 0; i < f->count; i++) {
        double one;
        FR_TRY(shape_distance(f->list[i], at, &one));
        *distance = fmin(*distance, one);
    }
    return FR_OK;
}

/* Distances of a row of samples to the nearest shape. */
static fr_result fill_row(const fill_shapes *f, const double start[3], int n, float *row, float *scratch)
{
    for (int i = 0; i < n; i++)
        row[i] = INFINITY;
    for (int s = 0; s < f->count; s++) {
        FR_TRY(shape_distance_row(f->list[s], start, f->d->h[0], n, scratch));
        for (int i = 0; i < n; i++)
            row[i] = fminf(row[i], scratch[i]);
    }
    return FR_OK;
}

static fr_result fill_rows(const fill_shapes *f, field *phi, float *scratch)
{
    double origin[3];
    field_origin(phi, f->d, origin);
    for (int k = 0; k < phi->size[2]; k++)
        for (int j = 0; j < phi->size[1]; j++) {
            double start[3] = {origin[0], origin[1] + j * f->d->h[1], f->d->dims == 3 ? origin[2] + k * f->d->h[2] : 0};
            FR_TRY(fill_row(f, start, phi->size[0], field_row(phi, j, k), scratch));
        }
    return FR_OK;
}

/* The way from a sample to the surface along an axis, in metres, when its neighbour there has the other sign. */
static fr_result fill_crossing(const fill_shapes *f, const double from[3], bool inside, int axis, double step,
                               double *way)
{
    enum { HALVINGS = 20 };
    double low = 0, high = step;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (low + high), at[3] = {from[0], from[1], from[2]}, distance;
        at[axis] += middle;
        FR_TRY(fill_at(f, at, &distance));
        if ((distance < 0) == inside)
            low = middle;
        else
            high = middle;
    }
    *way = fabs(0.5 * (low + high));
    return FR_OK;
}

/* φ beside the surface, from the ways along the axes; `sign` has the distances to the shapes, ghosts filled. */
static fr_result fill_cell(const fill_shapes *f, const field *sign, const int c[3], float *phi)
{
    const float *at = field_row(sign, c[1], c[2]) + c[0];
    bool inside = *at < 0;
    double origin[3], from[3] = {0, 0, 0}, squares = 0;
    field_origin(sign, f->d, origin);
    for (int a = 0; a < f->d->dims; a++)
        from[a] = origin[a] + c[a] * f->d->h[a];
    for (int a = 0; a < f->d->dims; a++) {
        double nearest = INFINITY;
        for (int end = -1; end <= 1; end += 2) {
            if ((at[end * sign->stride[a]] < 0) == inside)
                continue;
            double way;
            FR_TRY(fill_crossing(f, from, inside, a, end * f->d->h[a], &way));
            nearest = fmin(nearest, way);
        }
        squares += nearest < INFINITY ? 1 / fmax(nearest * nearest, 1e-12 * f->d->h[a] * f->d->h[a]) : 0;
    }
    double distance = squares > 0 ? 1 / sqrt(squares) : f->far;
    *phi = (float)(inside ? -distance : distance);
    return FR_OK;
}

static fr_result fill_all(const fill_shapes *f, field *phi, field *sign)
{
    FR_TRY(fill_rows(f, phi, sign->data));
    field_copy(sign, phi);
    halo_fill_even(sign, f->d);
    for (int k = 0; k < phi->size[2]; k++)
        for (int j = 0; j < phi->size[1]; j++)
            for (int i = 0; i < phi->size[0]; i++)
                FR_TRY(fill_cell(f, sign, (int[3]){i, j, k}, field_row(phi, j, k) + i));
    halo_fill_linear(phi, f->d);
    return FR_OK;
}

fr_result liquid_shape_distance(shape *one, const domain *d, field *phi, field *work)
{
    fill_shapes f = {.list = &one, .count = 1, .d = d, .far = 1e3 * domain_min_h(d)};
    return fill_all(&f, phi, work);
}

fr_result liquid_fill_distance(const liquid_run *run, liquid_due due, field *phi, field *work)
{
    fill_shapes f = fill_due(run, due, liquid_domain(run));
    return fill_all(&f, phi, work);
}

/* The velocity of the last fill that covers a face. At the start it adds to that of the scene; later it is the blob's
   own. */
static fr_result fill_face(const fill_shapes *f, const double at[3], int axis, float *u)
{
    for (int i = f->count - 1; i >= 0; i--) {
        double distance, v[3], from = fmax(f->def[i]->from, 0);
        FR_TRY(shape_distance(f->list[i], at, &distance));
        if (distance > domain_min_h(f->d))
            continue;
        FR_TRY(evaluate_vector(&f->def[i]->velocity, at, from, v));
        *u = (from > 0 ? 0 : *u) + (float)v[axis];
        return FR_OK;
    }
    return FR_OK;
}

static fr_result fill_faces(const fill_shapes *f, field velocity[3])
{
    for (int a = 0; a < f->d->dims; a++)
        for (int k = 0; k < velocity[a].size[2]; k++)
            for (int j = 0; j < velocity[a].size[1]; j++)
                for (int i = 0; i < velocity[a].size[0]; i++) {
                    double at[3];
                    model_position(f->d, &velocity[a], (int32_t)field_offset(&velocity[a], i, j, k), at);
                    FR_TRY(fill_face(f, at, a, field_row(&velocity[a], j, k) + i));
                }
    return FR_OK;
}

/* Fills at rest add nothing at the start. */
static bool fill_moves(const fill_shapes *f)
{
    for (int i = 0; i < f->count; i++) {
        const fr_vector *v = &f->def[i]->velocity;
        if (f->def[i]->from > 0 || v->function || v->value[0] != 0 || v->value[1] != 0 || v->value[2] != 0)
            return true;
    }
    return false;
}

fr_result liquid_fill_velocity(const liquid_run *run, liquid_due due, field velocity[3])
{
    fill_shapes f = fill_due(run, due, &run->flow.model->domain);
    return fill_moves(&f) ? fill_faces(&f, velocity) : FR_OK;
}

/* Sets a scalar in the cells whose centres a fill covers. */
static fr_result fill_scalar(const liquid_run *run, shape *shape, const fr_fill_def *def, const fr_scalar_value *scalar,
                             field *scalars)
{
    const domain *d = &run->flow.model->domain;
    const int index = model_scalar_index(run->flow.model, scalar->name);
    const model_scalar *kind = &run->flow.model->scalars[index];
    field *to = &scalars[index];
    for (int k = 0; k < to->size[2]; k++)
        for (int j = 0; j < to->size[1]; j++)
            for (int i = 0; i < to->size[0]; i++) {
                double at[3], distance, value;
                model_position(d, to, (int32_t)field_offset(to, i, j, k), at);
                FR_TRY(shape_distance(shape, at, &distance));
                if (distance > 0.5 * domain_min_h(d))
                    continue;
                FR_TRY(evaluate_number(&scalar->value, at, fmax(def->from, 0), &value));
                field_row(to, j, k)[i] = (float)model_scalar_kept(kind, value);
            }
    return FR_OK;
}

static bool fill_names(const fr_fill_def *fill, const char *name)
{
    for (int n = 0; n < fill->scalar_count; n++)
        if (!strcmp(fill->scalars[n].name, name))
            return true;
    return false;
}

/* What belongs to the material and the fill says nothing of. */
static fr_result fill_material(const liquid_run *run, shape *shape, const fr_fill_def *def, field *scalars)
{
    const model *m = run->flow.model;
    for (int i = 0; i < m->scalar_count; i++) {
        const fr_scalar_value own = {m->scalars[i].name, m->scalars[i].initial};
        if (m->scalars[i].sticks && !fill_names(def, own.name))
            FR_TRY(fill_scalar(run, shape, def, &own, scalars));
    }
    return FR_OK;
}

fr_result liquid_fill_scalars(const liquid_run *run, liquid_due due, field *scalars)
{
    const model *m = run->flow.model;
    fill_shapes f = fill_due(run, due, &m->domain);
    for (int i = 0; i < f.count; i++) {
        FR_TRY(fill_material(run, f.list[i], f.def[i], scalars));
        for (int n = 0; n < f.def[i]->scalar_count; n++) {
            const fr_scalar_value *scalar = &f.def[i]->scalars[n];
            FR_TRY(fill_scalar(run, f.list[i], f.def[i], scalar, scalars));
        }
    }
    return FR_OK;
}
