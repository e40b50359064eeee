#include "sph/pressure/brace.h"

#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "sph/pressure/sums.h"

typedef struct brace_job {
    const sph_model *m;
    sph_state *s;
    const particle_vector *velocity;
    float dt_per_spacing;
    const sph_recovery *recovery;
    float relax;
} brace_job;

static pairs_set brace_set(const sph_walls *w)
{
    return (pairs_set){.cells = &w->cells, .x = w->x, .y = w->y, .z = w->z, .count = w->count};
}

/* Weight of wall particle b in the mean around another; 0 unless both are of the same wall, as deep, and face the same
   way. */
static float brace_part(const sph_walls *w, int64_t b, int32_t other, const pair_record *record, float spacing)
{
    four own = sums_load(&w->normal[b]), its = sums_load(&w->normal[other]);
    bool alike = other != b && w->body[b] == w->body[other] && fabsf(own[3] - its[3]) < 0.25f * spacing &&
                 sums_product(own, its) > 0.9f;
    half_eight halves = {(*record)[3]};
    float q = wide_of_half(halves)[0], left = 1 - q * q;
    return alike ? left * left : 0;
}

/* Writes the links of b unless `to` is NULL; returns their number. */
static uint32_t brace_links_of(const brace_job *job, int64_t b, sph_link *to)
{
    const pairs *around = &job->s->walls.around;
    uint32_t number = 0;
    for (int64_t k = around->begin[b]; k < pairs_end(around, b); k++) {
        sph_link link = {around->other[k],
                         brace_part(&job->s->walls, b, around->other[k], &around->record[k], (float)job->m->spacing)};
        if (link.part > 0 && to)
            to[number] = link;
        number += link.part > 0;
    }
    return number;
}

static void brace_count_links(void *context, int begin, int end)
{
    const brace_job *job = context;
    sph_walls *w = &job->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++)
        w->link_begin[b] = brace_links_of(job, b, NULL);
}

static void brace_write_links(void *context, int begin, int end)
{
    const brace_job *job = context;
    sph_walls *w = &job->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++)
        brace_links_of(job, b, w->links + w->link_begin[b]);
}

/* From the number of links of each to where they begin. */
static fr_result brace_place_links(sph_walls *w)
{
    uint32_t used = 0;
    for (int64_t b = 0; b < w->count; b++) {
        uint32_t number = w->link_begin[b];
        w->link_begin[b] = used;
        used += number;
    }
    w->link_begin[w->count] = used;
    if (used > w->link_room) {
        memory_free(w->links);
        w->links = MEMORY_NEW(sph_link, used);
        w->link_room = w->links ? used : 0;
    }
    return w->link_room >= used ? FR_OK : FR_ERROR_MEMORY;
}

fr_result sph_brace_link(const sph_model *m, sph_state *s)
{
    sph_walls *w = &s->walls;
    brace_job job = {.m = m, .s = s};
    pairs_search search = {
        .kernel = m->kernel, .spacing = m->spacing, .volume = m->weight, .of = brace_set(w), .near = brace_set(w)};
    FR_TRY(pairs_find(&search, &w->around));
    threads_for(sph_blocks(w->count), brace_count_links, &job);
    FR_TRY(brace_place_links(w));
    threads_for(sph_blocks(w->count), brace_write_links, &job);
    return FR_OK;
}

/* Wall particles count in means by how wet they are. Otherwise dry ones would lower the mean at the edge of the liquid,
   which could then enter the wall. */
static void brace_wet(void *context, int begin, int end)
{
    sph_walls *w = &((const brace_job *)context)->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++) {
        w->wet[b] = w->density[b] < w->room[b] ? w->density[b] / w->room[b] : w->density[b] > 0;
        w->left[b] = w->offer[b] = w->push[b] = w->next_unknown[b] = 0;
    }
}

static void brace_list(sph_walls *w)
{
    w->reached_count = 0;
    for (int64_t b = 0; b < w->count; b++)
        if (w->wet[b] > 0)
            w->reached[w->reached_count++] = (int32_t)b;
}

/* Σ over wall particle b itself and those around it. */
static float brace_gather(const sph_walls *w, int64_t b, const float *value)
{
    float sum = value[b];
    for (const sph_link *link = w->links + w->link_begin[b]; link < w->links + w->link_begin[b + 1]; link++)
        sum += link->part * value[link->other];
    return sum;
}

static void brace_count(void *context, int begin, int end)
{
    sph_walls *w = &((const brace_job *)context)->s->walls;
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->reached_count, end); i++)
        w->even[w->reached[i]] = 1 / brace_gather(w, w->reached[i], w->wet);
}

fr_result sph_brace_near(const sph_model *m, sph_state *s, const pairs_set *fluid)
{
    sph_walls *w = &s->walls;
    pairs_search search = {
        .kernel = m->kernel, .spacing = m->spacing, .volume = m->weight, .of = brace_set(w), .near = *fluid};
    search.sums = (pairs_sums){w->density, w->gradient};
    FR_TRY(pairs_find(&search, &w->pairs));
    threads_for(sph_blocks(w->count), brace_wet, &(brace_job){.s = s});
    brace_list(w);
    threads_for(sph_brace_blocks(s), brace_count, &(brace_job){.s = s});
    return FR_OK;
}

/* The part of the density error that this step is to correct. Gaps count the more the drier the wall is there: liquid
   may approach a dry wall freely. */
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
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->reached_count, end); i++) {
        int64_t b = w->reached[i];
        float rate = sums_product(sums_load(&w->velocity[b]), sums_load(&w->gradient[b])) -
                     sums_dot(&w->pairs, b, job->velocity);
        w->source[b] = job->dt_per_spacing * rate + brace_owed(job->recovery, w, b);
    }
}

void sph_brace_predict(const sph_model *m, sph_state *s, const particle_vector *velocity, double dt,
                             const sph_recovery *recovery)
{
    brace_job job = {
        .m = m, .s = s, .velocity = velocity, .dt_per_spacing = (float)(dt / m->spacing), .recovery = recovery};
    if (recovery)
        threads_for(sph_brace_blocks(s), brace_predict, &job);
}

static void brace_offers(void *context, int begin, int end)
{
    sph_walls *w = &((const brace_job *)context)->s->walls;
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->reached_count, end); i++) {
        int64_t b = w->reached[i];
        sph_brace_offer(w, b, w->unknown[b]);
    }
}

static void brace_push(void *context, int begin, int end)
{
    sph_walls *w = &((const brace_job *)context)->s->walls;
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->reached_count, end); i++) {
        int64_t b = w->reached[i];
        w->push[b] = w->wet[b] * brace_gather(w, b, w->offer);
    }
}

void sph_brace_push(sph_state *s)
{
    brace_job job = {.s = s};
    threads_for(sph_brace_blocks(s), brace_offers, &job);
    threads_for(sph_brace_blocks(s), brace_push, &job);
}

/* Walls are not shifted: only shifts of the liquid change the density there. */
void sph_brace_left(sph_state *s, const sph_expect *expect, int begin, int end)
{
    sph_walls *w = &s->walls;
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->reached_count, end); i++) {
        int64_t b = w->reached[i];
        float left = w->source[b] - sums_dot(&w->pairs, b, s->vectors[SPH_SHIFT]);
        if (expect) {
            float expected = sph_expect_wall(expect, s, b) + brace_owed(expect->recovery, w, b);
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
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->reached_count, end); i++) {
        int64_t b = w->reached[i];
        float left = w->even[b] * brace_gather(w, b, w->left);
        w->next_unknown[b] = fmaxf(0, w->unknown[b] + job->relax * left);
        sph_brace_offer(w, b, w->next_unknown[b]);
    }
}

void sph_brace_advance(sph_state *s, float relax)
{
    brace_job job = {.s = s, .relax = relax};
    threads_for(sph_brace_blocks(s), brace_advance, &job);
}

void sph_brace_next(sph_state *s)
{
    brace_job job = {.s = s};
    sph_walls *w = &s->walls;
    float *swap = w->unknown;
    w->unknown = w->next_unknown;
    w->next_unknown = swap;
    threads_for(sph_brace_blocks(s), brace_push, &job);
}

static void brace_surplus(void *context, int begin, int end)
{
    sph_walls *w = &((const brace_job *)context)->s->walls;
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->reached_count, end); i++) {
        int64_t b = w->reached[i];
        w->left[b] = w->wet[b] * (w->density[b] - w->room[b]);
    }
}

static void brace_mean(void *context, int begin, int end)
{
    sph_walls *w = &((const brace_job *)context)->s->walls;
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->reached_count, end); i++) {
        int64_t b = w->reached[i];
        w->source[b] = w->even[b] * brace_gather(w, b, w->left);
    }
}

void sph_brace_excess(sph_state *s)
{
    brace_job job = {.s = s};
    threads_for(sph_brace_blocks(s), brace_surplus, &job);
    threads_for(sph_brace_blocks(s), brace_mean, &job);
}
