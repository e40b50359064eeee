#include "render/space/water.h"

#include "base/memory.h"
#include "base/threads.h"

#include <math.h>

/* Rays for all vertices together, and for one of them. What they tell is then smoothed along the surface, the more the
   fewer there are. */
static const double bake_rays = 3e6;
enum { RAYS_LEAST = 8, RAYS_MOST = 48, RAYS_FLOOR = 64, FLOOR_POINTS = 96, PASSES_MOST = 200 };

/* How far light of each colour goes in wax, in shortest sides of the domain; how far straight through it. */
static const double wax_reach[3] = {0.045, 0.030, 0.018}, wax_depth = 0.045;

typedef struct bake_job {
    const water *water;
    bake *bake;
    int rays;
} bake_job;

static vec3 bake_vector(const float v[3])
{
    return (vec3){v[0], v[1], v[2]};
}

static void bake_open(void *context, int begin, int end)
{
    const bake_job *job = context;
    const fr_mesh *mesh = job->water->mesh;
    for (int v = begin; v < end; v++) {
        vec3 n = bake_vector(mesh->normals[v]);
        vec3 p = vec3_add(bake_vector(mesh->vertices[v]), vec3_scale(n, job->water->hair));
        job->bake->open[v] = rays_open(&job->water->all, p, n, job->rays, colour_noise((uint32_t)v, 5, 1));
    }
}

/* The way through the liquid from a point below the surface. */
static double bake_depth(const water *water, vec3 from, vec3 along)
{
    tracer_hit hit;
    if (!tracer_find(water->tracer, &(tracer_line){from, along, water->hair, INFINITY}, &hit) || !hit.leaving)
        return 0;
    return hit.distance;
}

/* Light that enters wax at a vertex, or comes straight through it. */
static void bake_soft(void *context, int begin, int end)
{
    const bake_job *job = context;
    const water *water = job->water;
    const lights *lights = &water->volume.lights;
    const double reach = wax_depth * water->size;
    for (int v = begin; v < end; v++) {
        vec3 n = bake_vector(water->mesh->normals[v]), p = bake_vector(water->mesh->vertices[v]);
        vec3 out = vec3_add(p, vec3_scale(n, water->hair)), in = vec3_add(p, vec3_scale(n, -0.5 * water->contact));
        float facing = (float)vec3_dot(n, lights->towards), open = job->bake->open[v];
        float lit = facing > 0 ? facing * rays_lit(&water->all, out, colour_noise((uint32_t)v, 5, 2)) : 0;
        float through = (float)exp(-bake_depth(water, in, lights->towards) / reach);
        float thin = (float)exp(-bake_depth(water, in, vec3_scale(n, -1)) / reach);
        rgb light = rgb_scale(lights->key, 0.62f * (lit + 0.45f * (1 - lit) * through));
        light = rgb_add(light, rgb_scale((rgb){0.40f, 0.43f, 0.48f}, open * (0.7f + 0.3f * (float)n.y) + 0.3f * thin));
        job->bake->soft[v] = rgb_add(light, lights->ground);
    }
}

static double bake_edge_square(const fr_mesh *mesh)
{
    double sum = 0;
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *c = mesh->triangles[t];
        vec3 edge = vec3_sub(bake_vector(mesh->vertices[c[1]]), bake_vector(mesh->vertices[c[0]]));
        sum += vec3_dot(edge, edge);
    }
    return mesh->triangle_count > 0 ? sum / (double)mesh->triangle_count : 1;
}

/* One pass makes a number at each vertex the mean of itself and of its neighbours' mean. `stride` apart; `sums` has
   room for two floats a vertex. */
static void bake_smooth(const fr_mesh *mesh, float *values, int stride, float *sums)
{
    for (int64_t v = 0; v < 2 * mesh->vertex_count; v++)
        sums[v] = 0;
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *c = mesh->triangles[t];
        for (int k = 0; k < 3; k++) {
            sums[2 * (int64_t)c[k]] +=
                values[stride * (int64_t)c[(k + 1) % 3]] + values[stride * (int64_t)c[(k + 2) % 3]];
            sums[2 * (int64_t)c[k] + 1] += 2;
        }
    }
    for (int64_t v = 0; v < mesh->vertex_count; v++)
        if (sums[2 * v + 1] > 0)
            values[stride * v] = 0.5f * (values[stride * v] + sums[2 * v] / sums[2 * v + 1]);
}

/* A pass widens what it smooths by a quarter of the mean edge's square. */
static void bake_spread(const water *water, bake *bake, float *sums)
{
    double edge = bake_edge_square(water->mesh);
    for (int c = 0; c < 3; c++) {
        double reach = wax_reach[c] * water->size;
        int passes = (int)fmin(ceil(4 * reach * reach / edge), PASSES_MOST);
        for (int i = 0; i < passes; i++)
            bake_smooth(water->mesh, &bake->soft[0].r + c, 3, sums);
    }
}

static fr_result bake_surface(const water *water, bake *bake)
{
    const fr_mesh *mesh = water->mesh;
    int count = (int)mesh->vertex_count, rays = (int)clampd(bake_rays / (count + 1), RAYS_LEAST, RAYS_MOST);
    bake_job job = {water, bake, rays};
    bool wax = water->material == FR_MATERIAL_WAX;
    bake->open = MEMORY_NEW(float, count + 1);
    bake->soft = wax ? MEMORY_NEW(rgb, count + 1) : NULL;
    float *sums = MEMORY_NEW(float, 2 * (count + 1));
    bool room = bake->open && sums && (bake->soft || !wax);
    if (room) {
        threads_for(count, bake_open, &job);
        for (int i = 0; i < 2 + RAYS_MOST / rays; i++)
            bake_smooth(mesh, bake->open, 1, sums);
    }
    if (room && wax) {
        threads_for(count, bake_soft, &job);
        bake_spread(water, bake, sums);
    }
    memory_free(sums);
    return room ? FR_OK : FR_ERROR_MEMORY;
}

static void bake_floor_rows(void *context, int begin, int end)
{
    const bake_job *job = context;
    floor_map *floor = &job->bake->floor;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < floor->n[0]; i++) {
            vec3 p = floor_map_point(floor, i, j);
            p.y = job->water->volume.brick.low[1] + job->water->hair;
            float noise = colour_noise((uint32_t)i, (uint32_t)j, 3);
            floor->value[j * floor->n[0] + i] =
                rays_open(&job->water->all, p, (vec3){0, 1, 0}, RAYS_FLOOR, noise);
        }
}

/* Beyond the lattice the floor sees all of the sky. */
static fr_result bake_floor_create(const water *water, bake *bake)
{
    const brick *brick = &water->volume.brick;
    const double margin = 0.4 * water->size;
    const double low[2] = {brick->low[0] - margin, brick->low[2] - margin},
                 high[2] = {brick->high[0] + margin, brick->high[2] + margin};
    FR_TRY(floor_map_create(low, high, (const int[2]){FLOOR_POINTS, FLOOR_POINTS}, &bake->floor));
    threads_for(bake->floor.n[1], bake_floor_rows, &(bake_job){water, bake, 0});
    return FR_OK;
}

fr_result bake_create(const water *water, bake *out)
{
    *out = (bake){.open = NULL};
    if (water->mesh && !material_is_clear(water->material))
        FR_TRY(bake_surface(water, out));
    return bake_floor_create(water, out);
}

void bake_destroy(bake *bake)
{
    memory_free(bake->open);
    memory_free(bake->soft);
    floor_map_destroy(&bake->floor);
}
