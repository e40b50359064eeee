/* Shapes as pictures show them. The surface is found by marching tetrahedra on a fine lattice, whose nodes far from it
   take their values from the coarse one. Then each vertex moves onto the zero of the exact distance, whose gradient is
   its normal: a ball is round, and a box is flat up to its edges. */
#include <freshet/surface.h>

#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/vec.h"
#include "geom/shape.h"
#include "surface/blocks.h"
#include "surface/model.h"
#include "surface/tetrahedra.h"

/* Nodes of empty space around the shape. */
enum { COARSE_MARGIN = 2 };

static fr_result model_bounds(const shape *s, int dims, double low[3], double high[3])
{
    shape_bounds(s, low, high);
    for (int a = 0; a < dims; a++)
        if (!(isfinite(low[a]) && isfinite(high[a]) && low[a] < high[a]))
            return fr_fail_key("bodies", "a body's shape must have an end along %c; cut it with a box", "xyz"[a]);
    return FR_OK;
}

typedef struct model_job {
    const shape *shape;
    fr_model *model;
    model_lattice *fine; /* NULL: the coarse lattice is filled */
    fr_result *results;  /* of layers of nodes, or of vertices */
} model_job;

static void model_fill_layers(void *context, int begin, int end)
{
    const model_job *job = context;
    const fr_model *m = job->model;
    for (int layer = begin; layer < end; layer++) {
        const int j = layer % m->n[1], k = layer / m->n[1];
        const double start[3] = {m->low[0], m->low[1] + j * m->step, m->low[2] + k * m->step};
        float *row = m->distance + (ptrdiff_t)layer * m->n[0];
        job->results[layer] = shape_distance_row(job->shape, start, m->step, m->n[0], row);
    }
}

/* Calls a loop's work on one thread where the shape has a user's function, and gives the first failure. */
static fr_result model_loop(model_job *job, int count, threads_work work)
{
    fr_result result = FR_OK;
    job->results = MEMORY_NEW(fr_result, count + 1);
    if (!job->results)
        return FR_ERROR_MEMORY;
    if (shape_is_parallel(job->shape))
        threads_for(count, work, job);
    else
        work(job, 0, count);
    for (int i = 0; i < count && result == FR_OK; i++)
        result = job->results[i];
    memory_free(job->results);
    return result;
}

/* The share of each node's cell that is inside, added up. */
static double model_volume(const fr_model *m)
{
    const int64_t count = (int64_t)m->n[0] * m->n[1] * m->n[2];
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += clampd(0.5 - (double)m->distance[i] / m->step, 0, 1);
    return sum * m->step * m->step * (m->dims == 3 ? m->step : 1);
}

/* The spacing of the distances: pictures in 2D draw by them, in 3D only fluids meet them. */
static double model_step(int dims, double longest, double cell)
{
    return dims == 3 ? longest / clampd(longest / (1.5 * cell), 16, 48) : longest / clampd(4 * longest / cell, 32, 256);
}

static fr_result model_measure(const shape *s, double cell, fr_model *m)
{
    double low[3], high[3], longest = 0;
    FR_TRY(model_bounds(s, m->dims, low, high));
    for (int a = 0; a < m->dims; a++) {
        m->size[a] = high[a] - low[a];
        longest = fmax(longest, m->size[a]);
    }
    m->step = model_step(m->dims, longest, cell);
    for (int a = 0; a < 3; a++) {
        m->n[a] = a < m->dims ? (int)ceil(m->size[a] / m->step) + 1 + 2 * COARSE_MARGIN : 1;
        m->low[a] = a < m->dims ? 0.5 * (low[a] + high[a] - (m->n[a] - 1) * m->step) : 0;
    }
    m->distance = MEMORY_NEW(float, (int64_t)m->n[0] * m->n[1] * m->n[2]);
    if (!m->distance)
        return FR_ERROR_MEMORY;
    FR_TRY(model_loop(&(model_job){.shape = s, .model = m}, m->n[1] * m->n[2], model_fill_layers));
    m->volume = model_volume(m);
    return FR_OK;
}

/* A row of nodes of the fine lattice. Far from the surface the coarse one is good enough. */
static fr_result model_fine_row(const model_job *job, const double start[3], float *row)
{
    const model_lattice *l = job->fine;
    const double far = 2 * job->model->step;
    int near = 0; /* nodes before this one that have to be looked at */
    for (int i = 0; i <= l->n[0]; i++) {
        bool inside = i < l->n[0];
        if (inside)
            row[i] = fr_model_distance(job->model, (const double[3]){start[0] + i * l->step[0], start[1], start[2]});
        if (inside && !(fabs((double)row[i]) > far)) {
            near++;
            continue;
        }
        if (near > 0)
            FR_TRY(shape_distance_part(job->shape, start, l->step[0], i - near, i, row));
        near = 0;
    }
    return FR_OK;
}

static void model_fine_layers(void *context, int begin, int end)
{
    const model_job *job = context;
    const model_lattice *l = job->fine;
    for (int layer = begin; layer < end; layer++) {
        const int j = layer % l->n[1], k = layer / l->n[1];
        const double start[3] = {l->low[0], l->low[1] + j * l->step[1], l->low[2] + k * l->step[2]};
        job->results[layer] = model_fine_row(job, start, l->value + (ptrdiff_t)layer * l->n[0]);
    }
}

/* The exact distance and its gradient, by differences over a small part of a cell. */
static fr_result model_look(const shape *s, const float at[3], double small, double *distance, double slope[3])
{
    double p[3] = {at[0], at[1], at[2]};
    FR_TRY(shape_distance(s, p, distance));
    for (int a = 0; a < 3; a++) {
        double before, after, own = p[a];
        p[a] = own - small;
        FR_TRY(shape_distance(s, p, &before));
        p[a] = own + small;
        FR_TRY(shape_distance(s, p, &after));
        p[a] = own;
        slope[a] = (after - before) / (2 * small);
    }
    return FR_OK;
}

/* Newton's step onto the surface, at most half a cell long, and the normal there. */
static void model_settle(void *context, int begin, int end)
{
    const model_job *job = context;
    const double cell = job->fine->least;
    for (int v = begin; v < end; v++) {
        float *vertex = job->model->mesh.vertices[v], *normal = job->model->mesh.normals[v];
        double distance, slope[3];
        job->results[v] = model_look(job->shape, vertex, 0.02 * cell, &distance, slope);
        double length = vec3_length(vec3_of(slope));
        if (job->results[v] != FR_OK || !(length > 0.1))
            continue; /* where there is no slope the triangles' own normals hold */
        double step = clampd(distance / length, -0.5 * cell, 0.5 * cell);
        for (int a = 0; a < 3; a++) {
            normal[a] = (float)(slope[a] / length);
            vertex[a] -= (float)(step * slope[a] / length);
        }
    }
}

static fr_result model_mesh(const shape *s, double cell, fr_model *m)
{
    enum { LEAST = 16, MOST = 160 };
    const double longest = fmax(m->size[0], fmax(m->size[1], m->size[2]));
    const int cells = (int)clampd(ceil(longest / cell), LEAST, MOST);
    model_lattice fine;
    FR_TRY(model_lattice_create(m, cells, &fine));
    model_job job = {.shape = s, .model = m, .fine = &fine};
    fr_result result = model_loop(&job, fine.n[1] * fine.n[2], model_fine_layers);
    if (result == FR_OK)
        result = model_lattice_march(&fine, &m->mesh);
    if (result == FR_OK)
        result = model_loop(&job, (int)m->mesh.vertex_count, model_settle);
    model_lattice_destroy(&fine);
    return result;
}

static fr_result model_build(const shape *s, double cell, fr_model *m)
{
    FR_TRY(model_measure(s, cell, m));
    return m->dims == 3 ? model_mesh(s, cell, m) : FR_OK;
}

fr_result fr_model_create(const fr_shape_def *def, int dims, double cell, fr_model *out)
{
    shape *s;
    *out = (fr_model){.dims = dims};
    FR_TRY(shape_create(&(fr_placed_shape){.shape = def}, dims, "bodies", &s));
    fr_result result = model_build(s, cell, out);
    shape_destroy(s);
    if (result != FR_OK)
        fr_model_destroy(out);
    return result;
}

void fr_model_destroy(fr_model *m)
{
    memory_free(m->distance);
    m->distance = NULL;
    fr_mesh_destroy(&m->mesh);
}

float fr_model_distance(const fr_model *m, const double at[3])
{
    const ptrdiff_t stride[3] = {1, m->n[0], (ptrdiff_t)m->n[0] * m->n[1]};
    const float *low = m->distance;
    double way = 0;
    float share[3];
    ptrdiff_t step[3];
    for (int a = 0; a < 3; a++) {
        double place = m->n[a] > 1 ? (at[a] - m->low[a]) / m->step : 0, kept = clampd(place, 0, m->n[a] - 1);
        int node = (int)fmin(kept, m->n[a] > 1 ? m->n[a] - 2 : 0);
        way += (place - kept) * (place - kept);
        share[a] = (float)(kept - node);
        step[a] = m->n[a] > 1 ? stride[a] : 0;
        low += node * stride[a];
    }
    float sum = 0;
    for (int c = 0; c < 8; c++) {
        float weight = 1;
        ptrdiff_t corner = 0;
        for (int a = 0; a < 3; a++) {
            weight *= c >> a & 1 ? share[a] : 1 - share[a];
            corner += (c >> a & 1) * step[a];
        }
        sum += weight * low[corner];
    }
    return sum + (float)(sqrt(way) * m->step);
}
