#include "stage/sph_brace.h"

#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "stage/sph_advance.h"
#include "stage/sph_sums.h"

typedef struct brace_job {
    const sph_model *m;
    sph_state *s;
    const particle_vector *velocity;
    float dt_per_spacing;
    const sph_recovery *recovery;
    float relax, momentum;
} brace_job;

static pairs_set brace_set(const sph_walls *w)
{
    return (pairs_set){.cells = &w->cells, .x = w->x, .y = w->y, .z = w->z, .count = w->count};
}

/* Part that neighbour k of wall particle b has in its mean: of the same wall, as deep and facing the same way. */
static float brace_part(const sph_walls *w, int64_t b, int64_t k, float spacing)
{
    int32_t other = w->links.other[k];
    four own = sums_load(&w->normal[b]), its = sums_load(&w->normal[other]);
    bool alike = other != b && w->body[b] == w->body[other] && fabsf(own[3] - its[3]) < 0.25f * spacing && sums_product(own, its) > 0.9f;
    half_eight halves = {w->links.record[k][3]};
    float q = wide_of_half(halves)[0], left = 1 - q * q;
    return alike ? left * left : 0;
}

static void brace_link(void *context, int begin, int end)
{
    const brace_job *job = context;
    sph_walls *w = &job->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++)
        for (int64_t k = w->links.begin[b]; k < pairs_end(&w->links, b); k++)
            w->part[k] = brace_part(w, b, k, (float)job->m->spacing);
}

fr_result stage_sph_brace_link(const sph_model *m, sph_state *s)
{
    sph_walls *w = &s->walls;
    pairs_search search = {.kernel = m->kernel, .spacing = m->spacing, .volume = m->weight, .of = brace_set(w), .near = brace_set(w)};
    search.sums = (pairs_sums){w->density, w->gradient};
    FR_TRY(pairs_find(&search, &w->links));
    if (w->part_room < w->links.room) {
        memory_free(w->part);
        w->part = MEMORY_NEW(float, w->links.room);
        w->part_room = w->part ? w->links.room : 0;
    }
    if (!w->part)
        return FR_ERROR_MEMORY;
    threads_for(sph_blocks(w->count), brace_link, &(brace_job){.m = m, .s = s});
    return FR_OK;
}

/* Places count in means of the wall around by how much of the liquid has come there: it would otherwise be let into the wall at its
   surface. */
static void brace_wet(void *context, int begin, int end)
{
    sph_walls *w = &((const brace_job *)context)->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++)
        w->wet[b] = w->density[b] < w->room[b] ? w->density[b] / w->room[b] : w->density[b] > 0;
}

/* Σ over wall particle b itself and those around it. */
static float brace_gather(const sph_walls *w, int64_t b, const float *value)
{
    float sum = value[b];
    for (int64_t k = w->links.begin[b]; k < pairs_end(&w->links, b); k++)
        sum += w->part[k] * value[w->links.other[k]];
    return sum;
}

static void brace_count(void *context, int begin, int end)
{
    sph_walls *w = &((const brace_job *)context)->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++)
        w->even[b] = w->wet[b] > 0 ? 1 / brace_gather(w, b, w->wet) : 0;
}

fr_result stage_sph_brace_near(const sph_model *m, sph_state *s)
{
    sph_walls *w = &s->walls;
    pairs_set fluid = {.cells = &s->cells, .x = s->x, .y = s->y, .z = s->z, .count = s->fluid.count};
    pairs_search search = {.kernel = m->kernel, .spacing = m->spacing, .volume = m->weight, .of = brace_set(w), .near = fluid};
    search.sums = (pairs_sums){w->density, w->gradient};
    FR_TRY(pairs_find(&search, &w->pairs));
    threads_for(sph_blocks(w->count), brace_wet, &(brace_job){.s = s});
    threads_for(sph_blocks(w->count), brace_count, &(brace_job){.s = s});
    return FR_OK;
}

/* What a step takes back: a gap all the sooner the less liquid has come, which may come closer at once where there is none. */
static float brace_owed(const sph_recovery *recovery, const sph_walls *w, int64_t b)
{
    float excess = w->density[b] - w->room[b];
    float dry = 1 - w->wet[b];
    return excess * (excess > 0 ? recovery->excess : recovery->gap + (1 - recovery->gap) * dry * dry * dry);
}

static void brace_predict(void *context, int begin, int end)
{
    const brace_job *job = context;
    sph_walls *w = &job->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++) {
        float rate = sums_product(sums_load(&w->velocity[b]), sums_load(&w->gradient[b])) - sums_dot(&w->pairs, b, job->velocity);
        w->source[b] = job->dt_per_spacing * rate + brace_owed(job->recovery, w, b);
    }
}

void stage_sph_brace_predict(const sph_model *m, sph_state *s, const particle_vector *velocity, double dt, const sph_recovery *recovery)
{
    brace_job job = {.m = m, .s = s, .velocity = velocity, .dt_per_spacing = (float)(dt / m->spacing), .recovery = recovery};
    if (s->walls.press && recovery)
        threads_for(sph_blocks(s->walls.count), brace_predict, &job);
}

/* Of one wall particle what its unknown gives to those around. */
static void brace_offer(sph_walls *w, int64_t b, float unknown) { w->offer[b] = w->even[b] * unknown; }

static void brace_offers(void *context, int begin, int end)
{
    sph_walls *w = &((const brace_job *)context)->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++)
        brace_offer(w, b, w->unknown[b]);
}

static void brace_push(void *context, int begin, int end)
{
    sph_walls *w = &((const brace_job *)context)->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++)
        w->push[b] = w->wet[b] > 0 ? w->wet[b] * brace_gather(w, b, w->offer) : 0;
}

void stage_sph_brace_push(sph_state *s)
{
    brace_job job = {.s = s};
    if (!s->walls.press)
        return;
    threads_for(sph_blocks(s->walls.count), brace_offers, &job);
    threads_for(sph_blocks(s->walls.count), brace_push, &job);
}

/* Walls do not give way: what is left there the liquid's shifts have left. */
void stage_sph_brace_left(sph_state *s, const sph_expect *expect, int block)
{
    sph_walls *w = &s->walls;
    for (int64_t b = (int64_t)block * SPH_BLOCK; b < sph_block_end(w->count, block + 1); b++) {
        float left = w->wet[b] > 0 ? w->source[b] - sums_dot(&w->pairs, b, s->shift) : 0;
        if (expect && w->wet[b] > 0) {
            float expected = stage_sph_expect_wall(expect, s, b) + brace_owed(expect->recovery, w, b);
            w->source[b] += expected - left;
            left = expected;
        }
        w->left[b] = w->wet[b] * left;
    }
}

static void brace_advance(void *context, int begin, int end)
{
    const brace_job *job = context;
    sph_walls *w = &job->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++) {
        float left = w->wet[b] > 0 ? w->even[b] * brace_gather(w, b, w->left) : 0;
        sph_advance(left, job->relax, job->momentum, w->unknown[b], &w->last_unknown[b], &w->next_unknown[b]);
        brace_offer(w, b, w->next_unknown[b]);
    }
}

void stage_sph_brace_advance(sph_state *s, float relax, float momentum)
{
    brace_job job = {.s = s, .relax = relax, .momentum = momentum};
    if (!s->walls.press)
        return;
    threads_for(sph_blocks(s->walls.count), brace_advance, &job);
}

void stage_sph_brace_next(sph_state *s)
{
    brace_job job = {.s = s};
    sph_walls *w = &s->walls;
    float *swap = w->unknown;
    w->unknown = w->next_unknown;
    w->next_unknown = swap;
    if (w->press)
        threads_for(sph_blocks(w->count), brace_push, &job);
}

static void brace_surplus(void *context, int begin, int end)
{
    sph_walls *w = &((const brace_job *)context)->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++)
        w->left[b] = w->wet[b] * (w->density[b] - w->room[b]);
}

static void brace_mean(void *context, int begin, int end)
{
    sph_walls *w = &((const brace_job *)context)->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++)
        w->source[b] = w->wet[b] > 0 ? w->even[b] * brace_gather(w, b, w->left) : 0;
}

void stage_sph_brace_excess(sph_state *s)
{
    brace_job job = {.s = s};
    threads_for(sph_blocks(s->walls.count), brace_surplus, &job);
    threads_for(sph_blocks(s->walls.count), brace_mean, &job);
}
