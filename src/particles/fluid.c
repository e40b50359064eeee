#include "particles/fluid.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "base/wide.h"

/* Each column: the offset of its pointer, and its bytes per particle. */
static const struct fluid_column {
    size_t offset, size;
} columns[] = {
    {offsetof(fluid, position), sizeof(particle_vector)},
    {offsetof(fluid, velocity), sizeof(particle_vector)},
    {offsetof(fluid, id), sizeof(int64_t)},
    {offsetof(fluid, density), sizeof(float)},
    {offsetof(fluid, pressure), sizeof(float)},
    {offsetof(fluid, enthalpy), sizeof(double)},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* Those there are: the last one is of warm fluids. */
static int fluid_columns(const fluid *f) { return f->warm ? COLUMNS : COLUMNS - 1; }

static void **fluid_column(fluid *f, int c) { return (void **)((char *)f + columns[c].offset); }

fr_result fluid_reserve(fluid *f, int64_t room)
{
    if (room <= f->room)
        return FR_OK;
    int64_t grown = f->room + f->room / 2;
    fluid larger = {.count = f->count, .room = grown > room ? grown : room, .warm = f->warm};
    bool there = true;
    for (int c = 0; c < fluid_columns(f); c++) {
        void **to = fluid_column(&larger, c);
        *to = memory_alloc(columns[c].size * (size_t)(larger.room + WIDE));
        there = there && *to;
        if (*to && f->count)
            memcpy(*to, *fluid_column(f, c), columns[c].size * (size_t)f->count);
    }
    if (!there) {
        fluid_destroy(&larger);
        return FR_ERROR_MEMORY;
    }
    fluid_destroy(f);
    *f = larger;
    return FR_OK;
}

void fluid_destroy(fluid *f)
{
    for (int c = 0; c < COLUMNS; c++)
        memory_free(*fluid_column(f, c));
    *f = (fluid){0};
}

void fluid_add(fluid *f, int64_t id, const double position[3], const double velocity[3])
{
    assert(f->count < f->room);
    int64_t n = f->count++;
    for (int a = 0; a < 3; a++) {
        f->position[n][a] = (float)position[a];
        f->velocity[n][a] = (float)velocity[a];
    }
    f->position[n][3] = f->velocity[n][3] = 0;
    f->id[n] = id;
    f->density[n] = 1;
    f->pressure[n] = 0;
    if (f->warm)
        f->enthalpy[n] = 0;
}

void fluid_sort(fluid *f, fluid *spare, const cells *c)
{
    assert(spare->room >= f->count);
    cells_column all[COLUMNS];
    for (int k = 0; k < fluid_columns(f); k++)
        all[k] = (cells_column){columns[k].size, *fluid_column(f, k), *fluid_column(spare, k)};
    cells_reorder_columns(c, f->count, all, fluid_columns(f));
    spare->count = f->count;
    fluid sorted = *spare;
    *spare = *f;
    *f = sorted;
}

void fluid_sweep(fluid *f, const uint8_t *mark)
{
    int64_t kept = 0;
    for (int64_t n = 0; n < f->count; n++) {
        if (mark[n])
            continue;
        for (int c = 0; c < fluid_columns(f) && kept < n; c++) {
            char *data = *fluid_column(f, c);
            memcpy(data + columns[c].size * (size_t)kept, data + columns[c].size * (size_t)n, columns[c].size);
        }
        kept++;
    }
    f->count = kept;
}
