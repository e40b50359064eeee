/* The shadows of bodies on the studio's floor: most of it has none, and its pixels need not ask. */
#include "base/threads.h"
#include "render/space/volume.h"

#include <math.h>

/* Points along each side. A light lower than this sine throws shadows out of sight. */
enum { FLOOR_POINTS = 160 };
static const double floor_lowest = 0.05;

typedef struct floor_job {
    const volume *volume;
    floor_map *floor;
} floor_job;

static void floor_rows(void *context, int begin, int end)
{
    const floor_job *job = context;
    floor_map *floor = job->floor;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < floor->n[0]; i++) {
            float noise = colour_noise((uint32_t)i, (uint32_t)j, 11);
            vec3 p = floor_map_point(floor, i, j);
            p.y = job->volume->brick.low[1] + job->volume->shadows.hair;
            floor->value[j * floor->n[0] + i] = volume_lit(job->volume, p, -1, noise);
        }
}

/* The part of the floor where a body's shadow may lie: around the foot of the cone of light. */
static void floor_reach(const volume *volume, const placed_body *body, double low[2], double high[2])
{
    const vec3 towards = volume->lights.towards;
    double away = (body->middle.y - volume->brick.low[1]) / towards.y;
    double reach = (body->radius + 2 * rays_lamp * fabs(away)) / towards.y;
    const double foot[2] = {body->middle.x - away * towards.x, body->middle.z - away * towards.z};
    for (int a = 0; a < 2; a++) {
        low[a] = fmin(low[a], foot[a] - reach);
        high[a] = fmax(high[a], foot[a] + reach);
    }
}

fr_result floor_shadow_create(const volume *volume, floor_map *out)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    if (!(volume->lights.towards.y > floor_lowest) || volume->bodies.count == 0)
        return FR_OK;
    for (int i = 0; i < volume->bodies.count; i++)
        floor_reach(volume, &volume->bodies.list[i], low, high);
    FR_TRY(floor_map_create(low, high, (const int[2]){FLOOR_POINTS, FLOOR_POINTS}, out));
    threads_for(out->n[1], floor_rows, &(floor_job){volume, out});
    return FR_OK;
}
