#include <freshet/surface.h>

#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "surface/carried.h"
#include "surface/drops.h"
#include "surface/level.h"
#include "surface/smooth.h"
#include "surface/tetrahedra.h"

/* Smoothing steps of a surface of particles, where the caller leaves them open. */
enum { SMOOTHING_OF_PARTICLES = 6 };

fr_surface_options fr_default_surface(void)
{
    return (fr_surface_options){.tetrahedra = 0, .smoothing = -1, .overlap = 0.25};
}

void fr_mesh_destroy(fr_mesh *mesh)
{
    memory_free(mesh->vertices);
    memory_free(mesh->normals);
    memory_free(mesh->velocity);
    memory_free(mesh->triangles);
    memory_free(mesh->colours);
    memory_free(mesh->texture);
    *mesh = (fr_mesh){0};
}

static fr_result surface_check(const fr_frame *frame, const fr_surface_options *options)
{
    int n = options->tetrahedra;
    if (frame->dims != 3)
        return fr_fail(FR_ERROR_INPUT, "a 2D scene has no surface to make a mesh of");
    if (n != 0 && n != 6 && n != 24 && n != 48 && n != 192)
        return fr_fail(FR_ERROR_INPUT, "a cell is cut into 6, 24, 48 or 192 tetrahedra, not %d", n);
    if (options->particles && !(frame->can & FR_FRAME_LIQUID))
        return fr_fail(FR_ERROR_INPUT, "this frame has no particles of a liquid to make a surface of; leave it to the "
                                       "level set");
    if (!(options->overlap >= 0 && options->overlap <= 1))
        return fr_fail(FR_ERROR_INPUT, "a surface reaches 0 to 1 cells into obstacles, not %g", options->overlap);
    return FR_OK;
}

typedef struct surface_job {
    const source *source;
    fr_mesh *mesh;
} surface_job;

static void surface_find_velocity(void *context, int begin, int end)
{
    const surface_job *job = context;
    for (int v = begin; v < end; v++) {
        const float *vertex = job->mesh->vertices[v];
        job->source->velocity(job->source, (const double[3]){vertex[0], vertex[1], vertex[2]}, job->mesh->velocity[v]);
    }
}

/* With 48 and 192 tetrahedra a cell is first cut into eight smaller ones. */
static fr_result surface_build(const source *s, int tetrahedra, int smoothing, fr_mesh *mesh)
{
    blocks b;
    FR_TRY(blocks_create(s, &b));
    fr_result result = tetrahedra_march(&b, tetrahedra == 6 || tetrahedra == 48 ? 6 : 24, mesh);
    blocks_destroy(&b);
    FR_TRY(result);
    mesh->velocity = memory_alloc((size_t)mesh->vertex_count * sizeof *mesh->velocity);
    if (!mesh->velocity)
        return FR_ERROR_MEMORY;
    float low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = (float)s->place[a][0];
        high[a] = (float)s->place[a][s->n[a] - 1];
    }
    FR_TRY(smooth_mesh(mesh, smoothing, low, high));
    threads_for((int)mesh->vertex_count, surface_find_velocity, &(surface_job){s, mesh});
    return smoothing > 0 || !s->smooth ? smooth_normals(mesh) : FR_OK;
}

static fr_result surface_of_level_set(const fr_frame *frame, const fr_surface_options *options, fr_mesh *mesh)
{
    const int tetrahedra = options->tetrahedra ? options->tetrahedra : 24;
    level l;
    source s;
    FR_TRY(level_open(frame, &l));
    fr_result result = level_source(&l, tetrahedra > 24 ? 2 : 1, options->overlap, &s);
    if (result == FR_OK)
        result = surface_build(&s, tetrahedra, options->smoothing, mesh);
    level_end(&l, &s);
    return result;
}

static fr_result surface_of_drops(drops *d, const fr_surface_options *options, fr_mesh *mesh)
{
    /* where there is a grid, a lattice twice as fine has a particle's spacing already */
    const int usual = d->frame->can & FR_FRAME_SURFACE ? 24 : 48;
    const int tetrahedra = options->tetrahedra ? options->tetrahedra : usual;
    source s;
    bool empty;
    FR_TRY(drops_source(d, tetrahedra > 24 ? 0.5 : 1, options->overlap, &s, &empty));
    if (empty)
        return FR_OK;
    int smoothing = options->smoothing < 0 ? SMOOTHING_OF_PARTICLES : options->smoothing;
    fr_result result = surface_build(&s, tetrahedra, smoothing, mesh);
    source_destroy(&s);
    return result;
}

static fr_result surface_of_particles(const fr_frame *frame, const fr_surface_options *options, fr_mesh *mesh)
{
    sampler s;
    FR_TRY(sampler_create(frame, &s));
    fr_result result = surface_of_drops(&(drops){.frame = frame, .sampler = &s}, options, mesh);
    sampler_destroy(&s);
    return result;
}

fr_result fr_surface_mesh(const fr_frame *frame, const fr_surface_options *options, fr_mesh *mesh)
{
    const fr_surface_options usual = fr_default_surface();
    options = options ? options : &usual;
    *mesh = (fr_mesh){0};
    FR_TRY(surface_check(frame, options));
    bool level = frame->can & FR_FRAME_SURFACE && !options->particles;
    fr_result result = (level ? surface_of_level_set : surface_of_particles)(frame, options, mesh);
    if (result == FR_OK)
        result = carried_add(frame, mesh);
    if (result != FR_OK)
        fr_mesh_destroy(mesh);
    return result;
}

typedef struct surface_sampling {
    const level *level; /* NULL: of particles */
    const sampler *sampler;
    const fr_lattice *lattice;
    float *distance, *speed;
} surface_sampling;

static float surface_sample(const surface_sampling *job, const double at[3], float velocity[3])
{
    const sampler *s = job->sampler;
    if (job->level) {
        if (velocity)
            level_velocity(job->level, at, velocity);
        return level_distance(job->level, at);
    }
    const float place[3] = {(float)(at[0] - s->low[0]), (float)(at[1] - s->low[1]), (float)(at[2] - s->low[2])};
    if (velocity)
        sampler_velocity(s, place, velocity);
    return sampler_distance(s, place);
}

static void surface_sample_rows(void *context, int begin, int end)
{
    const surface_sampling *job = context;
    const fr_lattice *l = job->lattice;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < l->n[0]; i++) {
            size_t n = (size_t)j * (size_t)l->n[0] + (size_t)i;
            double at[3];
            float v[3];
            for (int a = 0; a < 3; a++)
                at[a] = l->origin[a] + i * l->step[0][a] + j * l->step[1][a];
            job->distance[n] = surface_sample(job, at, job->speed ? v : NULL);
            if (job->speed)
                job->speed[n] = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        }
}

fr_result fr_surface_sample(const fr_frame *frame, const fr_lattice *lattice, float *distance, float *speed)
{
    surface_sampling job = {.lattice = lattice, .distance = distance, .speed = speed};
    if (frame->can & FR_FRAME_SURFACE) {
        level l;
        FR_TRY(level_open(frame, &l));
        job.level = &l;
        threads_for(lattice->n[1], surface_sample_rows, &job);
        level_close(&l);
        return FR_OK;
    }
    sampler s;
    FR_TRY(sampler_create(frame, &s));
    job.sampler = &s;
    threads_for(lattice->n[1], surface_sample_rows, &job);
    sampler_destroy(&s);
    return FR_OK;
}
