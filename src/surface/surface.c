#include <freshet/surface.h>

#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "surface/smooth.h"
#include "surface/tetrahedra.h"

fr_surface_options fr_default_surface(void)
{
    return (fr_surface_options){.cell = 0.5, .smoothing = 6};
}

void fr_mesh_destroy(fr_mesh *mesh)
{
    memory_free(mesh->vertices);
    memory_free(mesh->normals);
    memory_free(mesh->velocity);
    memory_free(mesh->triangles);
    *mesh = (fr_mesh){0};
}

static fr_result surface_check(const fr_frame *frame, const fr_surface_options *options)
{
    if (frame->dims != 3)
        return fr_fail(FR_ERROR_INPUT, "a 2D scene has no surface to make a mesh of");
    if (!(options->cell >= 0.1 && options->cell <= 1))
        return fr_fail(FR_ERROR_INPUT, "the cells of a surface are 0.1 to 1 particle spacings, not %g", options->cell);
    return FR_OK;
}

typedef struct surface_job {
    const fr_frame *frame;
    const sampler *sampler;
    fr_mesh *mesh;
} surface_job;

/* Samples the velocities and converts the positions from the sampler's box to the scene, clamped to the domain. */
static void surface_finish(void *context, int begin, int end)
{
    const surface_job *job = context;
    const fr_frame *f = job->frame;
    for (int v = begin; v < end; v++) {
        float *vertex = job->mesh->vertices[v];
        sampler_velocity(job->sampler, vertex, job->mesh->velocity[v]);
        for (int a = 0; a < 3; a++) {
            double high = f->origin[a] + f->cells[a] * f->spacing[a];
            vertex[a] = (float)fmin(fmax(vertex[a] + job->sampler->low[a], f->origin[a]), high);
        }
    }
}

static fr_result surface_build(const fr_frame *frame, const fr_surface_options *options, const sampler *s,
                               fr_mesh *mesh)
{
    blocks b;
    FR_TRY(blocks_create(s, frame->origin, options->cell * frame->particle_spacing, &b));
    fr_result result = tetrahedra_march(&b, mesh);
    blocks_destroy(&b);
    FR_TRY(result);
    FR_TRY(smooth_mesh(mesh, options->smoothing));
    mesh->velocity = memory_alloc((size_t)mesh->vertex_count * sizeof *mesh->velocity);
    if (!mesh->velocity)
        return FR_ERROR_MEMORY;
    threads_for((int)mesh->vertex_count, surface_finish, &(surface_job){frame, s, mesh});
    return smooth_normals(mesh);
}

fr_result fr_surface_of_particles(const fr_frame *frame, const fr_surface_options *options, fr_mesh *mesh)
{
    const fr_surface_options usual = fr_default_surface();
    options = options ? options : &usual;
    *mesh = (fr_mesh){0};
    FR_TRY(surface_check(frame, options));
    sampler s;
    FR_TRY(sampler_create(frame, &s));
    fr_result result = s.count > 0 ? surface_build(frame, options, &s, mesh) : FR_OK;
    sampler_destroy(&s);
    if (result != FR_OK)
        fr_mesh_destroy(mesh);
    return result;
}

typedef struct surface_sampling {
    const sampler *sampler;
    const fr_lattice *lattice;
    float *distance, *speed;
} surface_sampling;

static void surface_sample_rows(void *context, int begin, int end)
{
    const surface_sampling *job = context;
    const fr_lattice *l = job->lattice;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < l->n[0]; i++) {
            size_t n = (size_t)j * (size_t)l->n[0] + (size_t)i;
            float at[3], velocity[3];
            for (int a = 0; a < 3; a++)
                at[a] = (float)(l->origin[a] + i * l->step[0][a] + j * l->step[1][a] - job->sampler->low[a]);
            job->distance[n] = sampler_distance(job->sampler, at);
            if (!job->speed)
                continue;
            sampler_velocity(job->sampler, at, velocity);
            job->speed[n] = sqrtf(velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]);
        }
}

fr_result fr_surface_sample(const fr_frame *frame, const fr_lattice *lattice, float *distance, float *speed)
{
    sampler s;
    FR_TRY(sampler_create(frame, &s));
    threads_for(lattice->n[1], surface_sample_rows, &(surface_sampling){&s, lattice, distance, speed});
    sampler_destroy(&s);
    return FR_OK;
}
