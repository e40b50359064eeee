#include "particles/point_hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

fr_result point_hash_create(int dims, double edge, int64_t expected, point_hash *out)
{
    uint64_t slots = 64;
    while (slots < 2 * (uint64_t)expected)
        slots *= 2;
    *out = (point_hash){.dims = dims, .edge = edge, .mask = slots - 1};
    out->slots = MEMORY_NEW(int64_t, slots);
    if (!out->slots)
        return FR_ERROR_MEMORY;
    point_hash_clear(out);
    return FR_OK;
}

void point_hash_clear(point_hash *h)
{
    memset(h->slots, 0xff, (h->mask + 1) * sizeof *h->slots);
    h->count = 0;
}

void point_hash_destroy(point_hash *h)
{
    free(h->position);
    free(h->next);
    memory_free(h->slots);
    *h = (point_hash){0};
}

/* The cube that contains a point. */
static void point_hash_cube(const point_hash *h, const double at[3], int64_t cube[3])
{
    for (int a = 0; a < 3; a++)
        cube[a] = a < h->dims ? (int64_t)floor(at[a] / h->edge) : 0;
}

/* Different cubes may hash to the same slot, so a visit checks the cube of each point. */
static uint64_t point_hash_slot(const point_hash *h, const int64_t cube[3])
{
    uint64_t key = (uint64_t)cube[0] * 73856093u ^ (uint64_t)cube[1] * 19349663u ^ (uint64_t)cube[2] * 83492791u;
    key *= UINT64_C(0x9E3779B97F4A7C15);
    return (key >> 32) & h->mask;
}

static fr_result point_hash_grow(point_hash *h)
{
    int64_t room = 2 * h->room + 256;
    void *position = realloc(h->position, sizeof *h->position * (size_t)room);
    if (position)
        h->position = position;
    void *next = realloc(h->next, sizeof *h->next * (size_t)room);
    if (next)
        h->next = next;
    if (!position || !next)
        return fr_fail(FR_ERROR_MEMORY, "out of memory for %lld points of a boundary", (long long)room);
    h->room = room;
    return FR_OK;
}

fr_result point_hash_add(point_hash *h, const double at[3])
{
    if (h->count == h->room)
        FR_TRY(point_hash_grow(h));
    int64_t cube[3], index = h->count++;
    point_hash_cube(h, at, cube);
    int64_t *slot = &h->slots[point_hash_slot(h, cube)];
    memcpy(h->position[index], at, sizeof *h->position);
    h->next[index] = *slot;
    *slot = index;
    return FR_OK;
}

static double point_hash_distance2(const point_hash *h, int64_t index, const double at[3])
{
    double sum = 0;
    for (int a = 0; a < h->dims; a++)
        sum += (h->position[index][a] - at[a]) * (h->position[index][a] - at[a]);
    return sum;
}

typedef struct cube_visit {
    const double *at;
    double radius2;
    point_visit visit;
    void *context;
} cube_visit;

static bool point_hash_visit_cube(const point_hash *h, const int64_t cube[3], const cube_visit *v)
{
    for (int64_t i = h->slots[point_hash_slot(h, cube)]; i >= 0; i = h->next[i]) {
        double distance2 = point_hash_distance2(h, i, v->at);
        if (distance2 >= v->radius2)
            continue;
        int64_t own[3];
        point_hash_cube(h, h->position[i], own);
        if (memcmp(own, cube, sizeof own) == 0 && !v->visit(v->context, i, distance2))
            return false;
    }
    return true;
}

void point_hash_visit(const point_hash *h, const double at[3], double radius, point_visit visit, void *context)
{
    cube_visit v = {at, radius * radius, visit, context};
    int64_t low[3], high[3], cube[3];
    point_hash_cube(h, (double[3]){at[0] - radius, at[1] - radius, at[2] - radius}, low);
    point_hash_cube(h, (double[3]){at[0] + radius, at[1] + radius, at[2] + radius}, high);
    for (cube[2] = low[2]; cube[2] <= high[2]; cube[2]++)
        for (cube[1] = low[1]; cube[1] <= high[1]; cube[1]++)
            for (cube[0] = low[0]; cube[0] <= high[0]; cube[0]++)
                if (!point_hash_visit_cube(h, cube, &v))
                    return;
}
