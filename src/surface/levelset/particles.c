#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/vec.h"
#include "surface/levelset/particles_parts.h"
#include "surface/levelset/places.h"

fr_result levelset_particles_create(const domain *d, int per_cell, levelset_particles **out)
{
    levelset_particles *p = MEMORY_NEW(levelset_particles, 1);
    *out = p;
    if (!p)
        return FR_ERROR_MEMORY;
    p->d = *d;
    p->per_cell = per_cell;
    return FR_OK;
}

static void particles_free_arrays(levelset_particles *p)
{
    for (int a = 0; a < 3; a++)
        memory_free(p->place[a]);
    memory_free(p->radius);
    for (int s = 0; s < 4; s++)
        memory_free(p->spare[s]);
    memory_free(p->key);
    memory_free(p->order);
    memory_free(p->pieces);
}

void levelset_particles_destroy(levelset_particles *p)
{
    if (!p)
        return;
    particles_free_arrays(p);
    memory_free(p->calm);
    memory_free(p->calm_before);
    memory_free(p->starts);
    memory_free(p->witness);
    memory_free(p);
}

size_t levelset_particles_bytes(const levelset_particles *p)
{
    return sizeof *p + (size_t)p->capacity * (8 * sizeof(float) + 2 * sizeof *p->order) +
           (size_t)(p->capacity / PARTICLES_PIECE) * sizeof *p->pieces + (size_t)p->start_count * sizeof *p->starts +
           2 * (size_t)p->block_count + (size_t)p->witness_blocks * 2 * BLOCK_CELLS * sizeof *p->witness;
}

static void particles_copy(const levelset_particles *from, levelset_particles *to)
{
    const size_t bytes = (size_t)from->count * sizeof(float);
    if (bytes == 0)
        return;
    for (int a = 0; a < 3; a++)
        memcpy(to->place[a], from->place[a], bytes);
    memcpy(to->radius, from->radius, bytes);
    memcpy(to->order, from->order, (size_t)from->count * sizeof *to->order);
}

fr_result levelset_particles_reserve(levelset_particles *p, int64_t count)
{
    const int64_t capacity = (count + count / 4 + PARTICLES_PIECE) / PARTICLES_PIECE * PARTICLES_PIECE;
    if (count <= p->capacity)
        return FR_OK;
    if (capacity > INT32_MAX)
        return fr_fail(FR_ERROR_MEMORY, "the level set would need %lld particles; fewer per cell, or fewer cells",
                       (long long)count);
    levelset_particles grown = *p;
    bool full = true;
    for (int a = 0; a < 3; a++)
        full = (grown.place[a] = MEMORY_NEW(float, capacity)) && full;
    full = (grown.radius = MEMORY_NEW(float, capacity)) && full;
    for (int s = 0; s < 4; s++)
        full = (grown.spare[s] = MEMORY_NEW(float, capacity)) && full;
    full = (grown.key = MEMORY_NEW(int32_t, capacity)) && full;
    full = (grown.order = MEMORY_NEW(int32_t, capacity)) && full;
    full = (grown.pieces = MEMORY_NEW(int32_t, capacity / PARTICLES_PIECE)) && full;
    if (!full) {
        particles_free_arrays(&grown);
        return FR_ERROR_MEMORY;
    }
    particles_copy(p, &grown);
    grown.capacity = (int)capacity;
    particles_free_arrays(p);
    *p = grown;
    return FR_OK;
}

fr_result levelset_particles_resize(levelset_particles *p, int count)
{
    FR_TRY(levelset_particles_reserve(p, count));
    p->count = count;
    return FR_OK;
}

int levelset_particles_alive(const levelset_particles *p)
{
    int alive = 0;
    for (int i = 0; i < p->count; i++)
        alive += p->radius[i] != 0;
    return alive;
}

typedef struct particles_job {
    levelset_particles *p;
    const levelset_flow *flow;
    float scale[3]; /* converts a velocity to a displacement in cells */
    int order;
    const field *phi, *solid;
    float lone; /* m: the radius of a sphere that holds what a particle stands for */
} particles_job;

static places particles_flow(const particles_job *job, const places *at)
{
    const int dims = job->p->d.dims;
    const float share = 1 / (float)job->flow->refine;
    places coarse = *at, u = {{{0}}};
    for (int a = 0; a < dims && job->flow->refine > 1; a++)
        coarse.at[a] *= share;
    for (int a = 0; a < dims; a++)
        u.at[a] = places_values(&job->flow->velocity[a], &coarse);
    return u;
}

/* Explicit Runge–Kutta in a steady flow: Euler, midpoint, Ralston, and the classic rule of fourth order. Each stage
   starts from the last one's velocity. */
static places particles_moved(const particles_job *job, const places *from)
{
    static const float reach[4][3] = {{0}, {0.5f}, {0.5f, 0.75f}, {0.5f, 0.5f, 1}};
    static const float share[4][4] = {
        {1}, {0, 1}, {2.0f / 9, 3.0f / 9, 4.0f / 9}, {1.0f / 6, 2.0f / 6, 2.0f / 6, 1.0f / 6}};
    const domain *d = &job->p->d;
    const int rule = job->order - 1;
    places u = particles_flow(job, from), to = *from, at = *from;
    for (int s = 0; s < job->order; s++) {
        for (int a = 0; a < d->dims && s > 0; a++)
            at.at[a] = places_inside(from->at[a] + reach[rule][s - 1] * job->scale[a] * u.at[a], d, a);
        if (s > 0)
            u = particles_flow(job, &at);
        for (int a = 0; a < d->dims; a++)
            to.at[a] += share[rule][s] * job->scale[a] * u.at[a];
    }
    return to;
}

static void particles_move_eight(const particles_job *job, size_t i)
{
    levelset_particles *p = job->p;
    const places from = places_load(p->place, i);
    places to = particles_moved(job, &from);
    wide_mask gone = {0};
    for (int a = 0; a < p->d.dims; a++) {
        const wide inside = places_inside(to.at[a], &p->d, a);
        gone |= p->d.periodic[a] ? (wide_mask){0} : inside != to.at[a];
        to.at[a] = inside;
        wide_store(p->place[a] + i, inside);
    }
    if (job->solid)
        gone |= places_values(job->solid, &to) < 0;
    wide_store(p->radius + i, wide_choose(gone, wide_all(0), wide_load(p->radius + i)));
}

static void particles_move_part(void *context, int begin, int end)
{
    const particles_job *job = context;
    const size_t last =
        (size_t)job->p->count < (size_t)end * PARTICLES_PIECE ? (size_t)job->p->count : (size_t)end * PARTICLES_PIECE;
    for (size_t i = (size_t)begin * PARTICLES_PIECE; i < last; i += WIDE)
        particles_move_eight(job, i);
}

void levelset_particles_move(levelset_particles *p, const levelset_flow *flow, double dt, int order, const field *solid)
{
    particles_job job = {.p = p, .flow = flow, .order = order, .solid = solid};
    for (int a = 0; a < p->d.dims; a++)
        job.scale[a] = (float)(dt / p->d.h[a]);
    threads_for_cost(particles_pieces(p), (int64_t)PARTICLES_PIECE * 8 * order, particles_move_part, &job);
}

/* r = |φ| at the particle, held within its limits. One that is still on the wrong side knows less: no more than what it
   stands for is there for certain. */
static void particles_fit_part(void *context, int begin, int end)
{
    const particles_job *job = context;
    levelset_particles *p = job->p;
    const wide least = wide_all(particles_least(p)), most = wide_all(particles_most(p)), lone = wide_all(job->lone);
    for (size_t i = (size_t)begin * PARTICLES_PIECE; i < (size_t)end * PARTICLES_PIECE && i < (size_t)p->count;
         i += WIDE) {
        const places at = places_load(p->place, i);
        const wide radius = wide_load(p->radius + i), phi = places_values(job->phi, &at);
        const wide sign = wide_choose(radius < 0, wide_all(-1), wide_all(1));
        const wide_mask wrong = sign * phi < 0;
        const wide size = wide_min(wide_max(phi, -phi), wide_choose(wrong, lone, most));
        const wide fitted = sign * wide_max(size, least);
        wide_store(p->radius + i, wide_choose(radius == 0, radius, fitted));
    }
}

void levelset_particles_fit(levelset_particles *p, const field *phi)
{
    const double share = 1.0 / p->per_cell, h = domain_min_h(&p->d);
    const double lone = p->d.dims == 3 ? cbrt(share * 3 / (4 * FR_PI)) : sqrt(share / FR_PI);
    particles_job job = {.p = p, .phi = phi, .lone = fminf((float)(lone * h), particles_most(p))};
    threads_for_cost(particles_pieces(p), PARTICLES_PIECE * 4, particles_fit_part, &job);
}

static void particles_forget_part(void *context, int begin, int end)
{
    const particles_job *job = context;
    levelset_particles *p = job->p;
    const wide most = wide_all(particles_most(p));
    for (size_t i = (size_t)begin * PARTICLES_PIECE; i < (size_t)end * PARTICLES_PIECE && i < (size_t)p->count;
         i += WIDE) {
        const places at = places_load(p->place, i);
        const wide radius = wide_load(p->radius + i), phi = places_values(job->phi, &at);
        const wide_mask drowned = (radius > 0) & (phi < -radius), strayed = (radius < 0) & (phi > most - radius);
        wide_store(p->radius + i, wide_choose(drowned | strayed, wide_all(0), radius));
    }
}

void levelset_particles_forget(levelset_particles *p, const field *phi)
{
    particles_job job = {.p = p, .phi = phi};
    threads_for_cost(particles_pieces(p), PARTICLES_PIECE * 4, particles_forget_part, &job);
}
