#include "render/space/floor_map.h"

#include "base/memory.h"

fr_result floor_map_create(const double low[2], const double high[2], const int n[2], floor_map *out)
{
    *out = (floor_map){.n = {n[0], n[1]}};
    for (int a = 0; a < 2; a++) {
        out->low[a] = low[a];
        out->step[a] = (high[a] - low[a]) / (n[a] - 1);
    }
    out->value = MEMORY_NEW(float, out->n[0] * out->n[1]);
    return out->value ? FR_OK : FR_ERROR_MEMORY;
}

void floor_map_destroy(floor_map *map)
{
    memory_free(map->value);
    map->value = NULL;
}

vec3 floor_map_point(const floor_map *map, int i, int j)
{
    return (vec3){map->low[0] + i * map->step[0], 0, map->low[1] + j * map->step[1]};
}

float floor_map_at(const floor_map *map, vec3 p)
{
    if (!map->value)
        return 1;
    double x = (p.x - map->low[0]) / map->step[0], z = (p.z - map->low[1]) / map->step[1];
    if (!(x >= 0 && z >= 0 && x < map->n[0] - 1 && z < map->n[1] - 1))
        return 1;
    int i = (int)x, j = (int)z;
    float f = (float)(x - i), g = (float)(z - j);
    const float *low = map->value + j * map->n[0] + i, *high = low + map->n[0];
    return (low[0] * (1 - f) + low[1] * f) * (1 - g) + (high[0] * (1 - f) + high[1] * f) * g;
}
