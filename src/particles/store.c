#include "particles/store.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

/* A larger copy of an array; the caller still owns the old one. */
static void *store_grown(const void *from, int64_t count, int64_t room, size_t size)
{
    void *to = memory_alloc(size * (size_t)room);
    if (to && count)
        memcpy(to, from, size * (size_t)count);
    return to;
}

fr_result particles_reserve(particles *p, int64_t room)
{
    if (room <= p->room)
        return FR_OK;
    int64_t grown = p->room + p->room / 2;
    particles larger = {.count = p->count, .room = grown > room ? grown : room};
    larger.position = store_grown(p->position, p->count, larger.room, sizeof *p->position);
    larger.velocity = store_grown(p->velocity, p->count, larger.room, sizeof *p->velocity);
    larger.age = store_grown(p->age, p->count, larger.room, sizeof *p->age);
    larger.id = store_grown(p->id, p->count, larger.room, sizeof *p->id);
    larger.mark = store_grown(p->mark, p->count, larger.room, sizeof *p->mark);
    if (!larger.position || !larger.velocity || !larger.age || !larger.id || !larger.mark) {
        particles_destroy(&larger);
        return FR_ERROR_MEMORY;
    }
    particles_destroy(p);
    *p = larger;
    return FR_OK;
}

void particles_destroy(particles *p)
{
    memory_free(p->position);
    memory_free(p->velocity);
    memory_free(p->age);
    memory_free(p->id);
    memory_free(p->mark);
    *p = (particles){0};
}

void particles_add(particles *p, int64_t id, const double position[3], const double velocity[3])
{
    assert(p->count < p->room);
    int64_t n = p->count++;
    for (int a = 0; a < 3; a++) {
        p->position[n][a] = (float)position[a];
        p->velocity[n][a] = (float)velocity[a];
    }
    p->position[n][3] = p->velocity[n][3] = 0;
    p->age[n] = 0;
    p->id[n] = id;
    p->mark[n] = 0;
}

void particles_sweep(particles *p, int64_t removed[PARTICLES_MARKS])
{
    int64_t kept = 0;
    for (int64_t n = 0; n < p->count; n++) {
        if (p->mark[n]) {
            removed[p->mark[n]]++;
            continue;
        }
        if (kept < n) {
            memcpy(p->position[kept], p->position[n], sizeof *p->position);
            memcpy(p->velocity[kept], p->velocity[n], sizeof *p->velocity);
            p->age[kept] = p->age[n];
            p->id[kept] = p->id[n];
            p->mark[kept] = 0;
        }
        kept++;
    }
    p->count = kept;
}
