/* The glow of lava: each vertex shines as a black body of its temperature. Parts of the surface, some cells large, are
   lamps for what is around; nothing stands in their way. */
#include "render/space/water.h"

#include "base/memory.h"
#include "base/threads.h"
#include "render/draw/black_body.h"

#include <math.h>

/* The glow by temperature, K. */
static const double coldest = 500, hottest = 3000;
enum { GLOW_TABLE = 501, GLOW_ALONG = 4 /* lamps along each axis */ };

typedef struct glow_job {
    const float *temperature;
    const rgb *table;
    rgb *light;
} glow_job;

static void glow_vertices(void *context, int begin, int end)
{
    const glow_job *job = context;
    for (int v = begin; v < end; v++) {
        double share = ((double)job->temperature[v] - coldest) / (hottest - coldest);
        double place = clampd(share, 0, 1) * (GLOW_TABLE - 1);
        int i = (int)fmin(place, GLOW_TABLE - 2);
        job->light[v] = rgb_mix(job->table[i], job->table[i + 1], (float)(place - i));
    }
}

static vec3 glow_vector(const float v[3])
{
    return (vec3){v[0], v[1], v[2]};
}

static void glow_bounds(const fr_mesh *mesh, double low[3], double high[3])
{
    for (int a = 0; a < 3; a++) {
        low[a] = INFINITY;
        high[a] = -INFINITY;
    }
    for (int64_t v = 0; v < mesh->vertex_count; v++)
        for (int a = 0; a < 3; a++) {
            low[a] = fmin(low[a], (double)mesh->vertices[v][a]);
            high[a] = fmax(high[a], (double)mesh->vertices[v][a]);
        }
}

/* Adds a triangle to the lamp of its part of the box around the mesh. */
static void glow_add(const fr_mesh *mesh, const int32_t *corner, const double low[3], const double high[3], glow *glow)
{
    vec3 a = glow_vector(mesh->vertices[corner[0]]), b = glow_vector(mesh->vertices[corner[1]]),
         c = glow_vector(mesh->vertices[corner[2]]);
    vec3 area = vec3_scale(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)), 0.5);
    vec3 middle = vec3_scale(vec3_add(vec3_add(a, b), c), 1.0 / 3);
    const double at[3] = {middle.x, middle.y, middle.z};
    int index = 0;
    for (int k = 2; k >= 0; k--) {
        double share = (at[k] - low[k]) / fmax(high[k] - low[k], 1e-12);
        index = GLOW_ALONG * index + (int)clampd(share * GLOW_ALONG, 0, GLOW_ALONG - 1);
    }
    rgb light = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        light = rgb_add(light, rgb_scale(glow->light[corner[k]], 1.0f / 3));
    glow_lamp *lamp = &glow->lamps[index];
    double weight = vec3_length(area);
    lamp->power = rgb_add(lamp->power, rgb_scale(light, (float)weight));
    lamp->at = vec3_add(lamp->at, vec3_scale(middle, weight));
    lamp->towards = vec3_add(lamp->towards, area);
    lamp->size += weight;
}

static void glow_gather(const fr_mesh *mesh, glow *glow)
{
    double low[3], high[3];
    glow_bounds(mesh, low, high);
    for (int64_t t = 0; t < mesh->triangle_count; t++)
        glow_add(mesh, mesh->triangles[t], low, high, glow);
    for (int i = 0; i < WATER_LAMPS; i++) {
        glow_lamp lamp = glow->lamps[i];
        if (!(colour_luminance(lamp.power) > 0))
            continue;
        lamp.at = vec3_scale(lamp.at, 1 / lamp.size);
        lamp.towards = vec3_scale(lamp.towards, 1 / lamp.size);
        glow->lamps[glow->count++] = lamp;
    }
}

fr_result glow_create(const fr_frame *frame, const fr_mesh *mesh, glow *glow)
{
    rgb table[GLOW_TABLE];
    float *temperature = MEMORY_NEW(float, mesh->vertex_count + 1);
    glow->light = MEMORY_NEW(rgb, mesh->vertex_count + 1);
    fr_result result =
        temperature && glow->light ? fr_surface_values(frame, mesh, "temperature", temperature) : FR_ERROR_MEMORY;
    for (int i = 0; i < GLOW_TABLE && result == FR_OK; i++)
        table[i] = black_body_glow(coldest + (hottest - coldest) * i / (GLOW_TABLE - 1));
    if (result == FR_OK) {
        threads_for((int)mesh->vertex_count, glow_vertices, &(glow_job){temperature, table, glow->light});
        glow_gather(mesh, glow);
    }
    memory_free(temperature);
    return result;
}

void glow_destroy(glow *glow)
{
    memory_free(glow->light);
}

rgb glow_at(const glow *glow, vec3 p, vec3 normal)
{
    rgb sum = {0, 0, 0};
    for (int i = 0; i < glow->count; i++) {
        const glow_lamp *lamp = &glow->lamps[i];
        vec3 way = vec3_sub(lamp->at, p);
        double square = vec3_dot(way, way) + 0.3 * lamp->size;
        vec3 along = vec3_scale(way, 1 / sqrt(square));
        double here = fmax(vec3_dot(normal, along), 0), there = fmax(0.5 - 0.5 * vec3_dot(lamp->towards, along), 0);
        sum = rgb_add(sum, rgb_scale(lamp->power, (float)(here * there / (FR_PI * square))));
    }
    return sum;
}
