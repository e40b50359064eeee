#include "surface/smooth.h"

#include <math.h>

#include "base/memory.h"
#include "base/threads.h"

/* Taubin's λ and μ, with the pass band 1/λ + 1/μ = 0.1: waves longer than about ten edges are kept. */
static const float shrink = 0.5f, swell = -0.5263f;

/* For each vertex the corners of triangles that use it, as 3·triangle + corner, in the order of the triangles. */
typedef struct fans {
    int32_t *first, *corner;
} fans;

static void fans_destroy(fans *f)
{
    memory_free(f->first);
    memory_free(f->corner);
}

static fr_result fans_create(const fr_mesh *mesh, fans *f)
{
    int64_t corners = 3 * mesh->triangle_count;
    const int32_t *vertex = mesh->triangles[0];
    *f = (fans){MEMORY_NEW(int32_t, mesh->vertex_count + 2), MEMORY_NEW(int32_t, corners)};
    if (!f->first || !f->corner) {
        fans_destroy(f);
        return FR_ERROR_MEMORY;
    }
    for (int64_t c = 0; c < corners; c++)
        f->first[vertex[c] + 2]++;
    for (int64_t v = 0; v < mesh->vertex_count; v++)
        f->first[v + 2] += f->first[v + 1];
    for (int64_t c = 0; c < corners; c++)
        f->corner[f->first[vertex[c] + 1]++] = (int32_t)c;
    return FR_OK;
}

typedef struct smooth_job {
    fr_mesh *mesh;
    fans fans;
    float (*moved)[3];
    float share;
    const float *low, *high;
} smooth_job;

/* Laplacian step. In a closed mesh each neighbour follows the vertex in exactly one triangle: each is counted once. */
static void smooth_move(void *context, int begin, int end)
{
    const smooth_job *job = context;
    for (int v = begin; v < end; v++) {
        const float *own = job->mesh->vertices[v];
        float sum[3] = {0, 0, 0};
        int32_t from = job->fans.first[v], to = job->fans.first[v + 1];
        for (int32_t i = from; i < to; i++) {
            int32_t corner = job->fans.corner[i];
            const float *next = job->mesh->vertices[job->mesh->triangles[corner / 3][(corner + 1) % 3]];
            for (int a = 0; a < 3; a++)
                sum[a] += next[a] - own[a];
        }
        for (int a = 0; a < 3; a++) {
            bool held = own[a] == job->low[a] || own[a] == job->high[a];
            job->moved[v][a] = held ? own[a] : own[a] + job->share * sum[a] / (float)(to - from);
        }
    }
}

static void smooth_step(smooth_job *job, float share)
{
    job->share = share;
    threads_for((int)job->mesh->vertex_count, smooth_move, job);
    float (*before)[3] = job->mesh->vertices;
    job->mesh->vertices = job->moved;
    job->moved = before;
}

fr_result smooth_mesh(fr_mesh *mesh, int steps, const float low[3], const float high[3])
{
    if (steps <= 0 || mesh->vertex_count == 0)
        return FR_OK;
    smooth_job job = {.mesh = mesh, .low = low, .high = high};
    job.moved = memory_alloc((size_t)mesh->vertex_count * sizeof *job.moved);
    fr_result result = job.moved ? fans_create(mesh, &job.fans) : FR_ERROR_MEMORY;
    if (result == FR_OK) {
        for (int step = 0; step < steps; step++) {
            smooth_step(&job, shrink);
            smooth_step(&job, swell);
        }
        fans_destroy(&job.fans);
    }
    memory_free(job.moved);
    return result;
}

static void smooth_add_normal(const fr_mesh *mesh, int32_t triangle, float sum[3])
{
    const int32_t *t = mesh->triangles[triangle];
    float p[3], q[3];
    for (int a = 0; a < 3; a++) {
        p[a] = mesh->vertices[t[1]][a] - mesh->vertices[t[0]][a];
        q[a] = mesh->vertices[t[2]][a] - mesh->vertices[t[0]][a];
    }
    sum[0] += p[1] * q[2] - p[2] * q[1];
    sum[1] += p[2] * q[0] - p[0] * q[2];
    sum[2] += p[0] * q[1] - p[1] * q[0];
}

static void smooth_normal_range(void *context, int begin, int end)
{
    const smooth_job *job = context;
    for (int v = begin; v < end; v++) {
        float sum[3] = {0, 0, 0};
        for (int32_t i = job->fans.first[v]; i < job->fans.first[v + 1]; i++)
            smooth_add_normal(job->mesh, job->fans.corner[i] / 3, sum);
        float length = sqrtf(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
        for (int a = 0; a < 3; a++)
            job->mesh->normals[v][a] = length > 0 ? sum[a] / length : a == 1;
    }
}

fr_result smooth_normals(fr_mesh *mesh)
{
    if (!mesh->normals)
        mesh->normals = memory_alloc((size_t)mesh->vertex_count * sizeof *mesh->normals);
    if (!mesh->normals)
        return FR_ERROR_MEMORY;
    if (mesh->vertex_count == 0)
        return FR_OK;
    smooth_job job = {.mesh = mesh};
    FR_TRY(fans_create(mesh, &job.fans));
    threads_for((int)mesh->vertex_count, smooth_normal_range, &job);
    fans_destroy(&job.fans);
    return FR_OK;
}
