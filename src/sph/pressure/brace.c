#include "sph/pressure/brace.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "sph/pressure/operate.h"
#include "sph/pressure/sums.h"

typedef struct brace_job {
    const sph_model *m;
    sph_state *s;
    const particle_vector *velocity;
    float unit;             /* of the velocity, in spacings for the step */
    const sph_recovery *recovery;
    const sph_expect *expect;
    const float *values;
    bool merges; /* layers */
} brace_job;

static pairs_set brace_set(const sph_walls *w)
{
    return (pairs_set){.cells = &w->cells, .x = w->x, .y = w->y, .z = w->z, .count = w->count};
}

/* Weight of wall particle b in the mean around another; 0 unless both are of the same wall and face the same way and,
   where layers have means of their own, are as deep. */
static float brace_part(const brace_job *job, int64_t b, int32_t other, const pair_record *record)
{
    const sph_walls *w = &job->s->walls;
    four own = sums_load(&w->normal[b]), its = sums_load(&w->normal[other]);
    bool same = job->merges || fabsf(own[3] - its[3]) < 0.25f * (float)job->m->spacing;
    bool alike = other != b && w->body[b] == w->body[other] && same && sums_product(own, its) > 0.9f;
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
        sph_link link = {around->other[k], brace_part(job, b, around->other[k], &around->record[k])};
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

/* And whether b has the unknown of its place: none of its links lies less deep. */
static void brace_write_links(void *context, int begin, int end)
{
    const brace_job *job = context;
    sph_walls *w = &job->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++) {
        uint32_t number = brace_links_of(job, b, w->links + w->link_begin[b]);
        float highest = w->normal[b][3] - 0.25f * (float)job->m->spacing;
        w->leads[b] = 1;
        for (const sph_link *link = w->links + w->link_begin[b]; link < w->links + w->link_begin[b] + number; link++)
            if (w->normal[link->other][3] < highest)
                w->leads[b] = 0;
    }
}

/* Links with those that have an unknown come first, where places share one: what pushes comes from them alone. */
static void brace_order_links(void *context, int begin, int end)
{
    const brace_job *job = context;
    const sph_walls *w = &job->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++) {
        sph_link *first = w->links + w->link_begin[b], *last = w->links + w->link_begin[b + 1], *led = first;
        for (sph_link *link = first; link < last && job->merges; link++)
            if (w->leads[link->other]) {
                const sph_link own = *link;
                memmove(led + 1, led, (size_t)((char *)link - (char *)led));
                *led++ = own;
            }
        w->link_led[b] = job->merges ? (uint32_t)(led - w->links) : w->link_begin[b + 1];
    }
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
    brace_job job = {.m = m, .s = s, .merges = m->sph.solver != FR_SPH_WCSPH};
    pairs_search search = {
        .kernel = m->kernel, .spacing = m->spacing, .volume = m->weight, .of = brace_set(w), .near = brace_set(w)};
    FR_TRY(pairs_find(&search, &w->around));
    threads_for(sph_blocks(w->count), brace_count_links, &job);
    FR_TRY(brace_place_links(w));
    threads_for(sph_blocks(w->count), brace_write_links, &job);
    threads_for(sph_blocks(w->count), brace_order_links, &job);
    return FR_OK;
}

/* Wall particles count in means by how wet they are. Otherwise dry ones would lower the mean at the edge of the liquid,
   which could then enter the wall. */
static void brace_wet(void *context, int begin, int end)
{
    sph_walls *w = &((const brace_job *)context)->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++) {
        w->wet[b] = w->density[b] < w->room[b] ? w->density[b] / w->room[b] : w->density[b] > 0;
        w->take[b] = w->weigh[b] = w->wet[b];
        w->give[b] = w->leads[b] ? w->wet[b] : 0;
        w->left[b] = w->offer[b] = w->push[b] = 0;
    }
}

static void brace_list(sph_walls *w)
{
    w->reached_count = w->led_count = 0;
    for (int64_t b = 0; b < w->count; b++) {
        if (w->wet[b] > 0)
            w->reached[w->reached_count++] = (int32_t)b;
        if (w->give[b] > 0)
            w->led[w->led_count++] = (int32_t)b;
    }
}

/* Σ over wall particle b itself and those around it. */
static float brace_gather(const sph_walls *w, int64_t b, const float *value)
{
    float sum = value[b];
    for (const sph_link *link = w->links + w->link_begin[b]; link < w->links + w->link_begin[b + 1]; link++)
        sum += link->part * value[link->other];
    return sum;
}

/* Of means for each layer: what normalizes them. */
static void brace_even(void *context, int begin, int end)
{
    sph_walls *w = &((const brace_job *)context)->s->walls;
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->reached_count, end); i++)
        w->give[w->reached[i]] = 1 / brace_gather(w, w->reached[i], w->wet);
}

/* Of an unknown for each place: push is the mean of the unknowns around, and each particle counts by its volume in what
   they ask for. */
static void brace_merge(void *context, int begin, int end)
{
    const brace_job *job = context;
    sph_walls *w = &job->s->walls;
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->reached_count, end); i++) {
        int64_t b = w->reached[i];
        float sum = brace_gather(w, b, w->give);
        w->take[b] = sum > 0 ? w->wet[b] / sum : 0;
        w->weigh[b] = w->take[b] * w->volume[b] / (float)job->m->weight;
        w->left[b] = w->weigh[b] * sqrtf(w->gradient[b][3]);
    }
}

/* (Σ |row_b|)², which the diagonal would be if all particles of a place saw the liquid in the same direction; with a
   third of it, about what it is, solves take longer. */
static void brace_diagonal(void *context, int begin, int end)
{
    sph_walls *w = &((const brace_job *)context)->s->walls;
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->led_count, end); i++) {
        int64_t c = w->led[i];
        float size = w->give[c] * brace_gather(w, c, w->left);
        w->diagonal[c] = size * size;
    }
}

fr_result sph_brace_near(const sph_model *m, sph_state *s, const pairs_set *fluid)
{
    sph_walls *w = &s->walls;
    brace_job job = {.m = m, .s = s};
    pairs_search search = {
        .kernel = m->kernel, .spacing = m->spacing, .volume = m->weight, .of = brace_set(w), .near = *fluid};
    search.sums = (pairs_sums){w->density, w->gradient};
    FR_TRY(pairs_find(&search, &w->pairs));
    threads_for(sph_blocks(w->count), brace_wet, &job);
    brace_list(w);
    if (m->sph.solver == FR_SPH_WCSPH) {
        threads_for(sph_brace_blocks(s), brace_even, &job);
        return FR_OK;
    }
    threads_for(sph_brace_blocks(s), brace_merge, &job);
    threads_for(sph_brace_led_blocks(s), brace_diagonal, &job);
    return FR_OK;
}

/* The part of the density error at a place that this step is to correct. Gaps count the more the drier the wall is
 * there: liquid may approach a dry wall freely. */
static float brace_owed(const sph_recovery *recovery, float error, float wet)
{
    float dry = 1 - wet;
    return error > 0 ? error * recovery->excess : error * (recovery->gap + (1 - recovery->gap) * dry * dry * dry);
}

/* Σ_b s_cb values_b over the wall, as unknown c asks for it. */
static float brace_demand(const sph_walls *w, int64_t c, const float *values)
{
    return w->give[c] > 0 ? w->give[c] * brace_gather(w, c, values) : 0;
}

/* Errors of density, weighed, into walls.offer; rates into walls.left. */
static void brace_ask(void *context, int begin, int end)
{
    const brace_job *job = context;
    sph_walls *w = &job->s->walls;
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->reached_count, end); i++) {
        int64_t b = w->reached[i];
        float change =
            job->expect ? sph_expect_wall(job->expect, job->s, b)
                        : job->unit *
                              (sums_product(sums_load(&w->velocity[b]), sums_load(&w->gradient[b])) -
                               sums_dot(&w->pairs, b, job->velocity));
        w->left[b] = w->weigh[b] * change;
        w->offer[b] = w->weigh[b] * (w->density[b] - w->room[b]);
    }
}

/* Into walls.residual. */
static void brace_asked(void *context, int begin, int end)
{
    const brace_job *job = context;
    sph_walls *w = &job->s->walls;
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->led_count, end); i++) {
        int64_t c = w->led[i];
        w->residual[c] =
            brace_demand(w, c, w->left) + brace_owed(job->recovery, brace_demand(w, c, w->offer), w->wet[c]);
    }
}

static void brace_predict(const brace_job *job)
{
    threads_for(sph_brace_blocks(job->s), brace_ask, (void *)job);
    threads_for(sph_brace_led_blocks(job->s), brace_asked, (void *)job);
}

void sph_brace_predict(const sph_model *m, sph_state *s, double dt, const sph_recovery *recovery)
{
    sph_walls *w = &s->walls;
    brace_predict(&(brace_job){
        .s = s, .velocity = s->next.velocity, .unit = (float)(dt / m->spacing), .recovery = recovery});
    float *swap = w->source;
    w->source = w->residual;
    w->residual = swap;
}

void sph_brace_expect(sph_state *s, const sph_expect *expect)
{
    brace_predict(&(brace_job){.s = s, .expect = expect, .recovery = expect->recovery});
}

/* What the unknowns of the places around offer, each by its weight. */
static void brace_push(void *context, int begin, int end)
{
    const brace_job *job = context;
    sph_walls *w = &job->s->walls;
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->reached_count, end); i++) {
        int64_t b = w->reached[i];
        float sum = w->give[b] > 0 ? w->give[b] * job->values[b] : 0;
        for (const sph_link *link = w->links + w->link_begin[b]; link < w->links + w->link_led[b]; link++)
            if (w->give[link->other] > 0)
                sum += link->part * (w->give[link->other] * job->values[link->other]);
        w->push[b] = w->take[b] * sum;
    }
}

void sph_brace_push(sph_state *s, const float *unknown)
{
    threads_for(sph_brace_blocks(s), brace_push, &(brace_job){.s = s, .values = unknown});
}

/* Walls are not shifted: only shifts of the liquid change the density there. */
void sph_brace_change(sph_state *s, int begin, int end)
{
    sph_walls *w = &s->walls;
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->reached_count, end); i++) {
        int64_t b = w->reached[i];
        w->left[b] = w->weigh[b] * sums_dot(&w->pairs, b, s->vectors[SPH_SHIFT]);
    }
}

static void brace_product(void *context, int begin, int end)
{
    const brace_job *job = context;
    sph_walls *w = &job->s->walls;
    for (int block = begin; block < end; block++) {
        double sum = 0;
        for (int64_t i = (int64_t)block * SPH_BLOCK; i < sph_block_end(w->led_count, block + 1); i++) {
            int64_t c = w->led[i];
            w->product[c] = SPH_REGULAR_WALL * w->diagonal[c] * job->values[c] + brace_demand(w, c, w->left);
            sum += (double)job->values[c] * (double)w->product[c];
        }
        job->s->partial[block] = sum;
    }
}

double sph_brace_product(sph_state *s, const float *values)
{
    threads_for(sph_brace_led_blocks(s), brace_product, &(brace_job){.s = s, .values = values});
    return threads_sum(s->partial, sph_brace_led_blocks(s));
}

double sph_brace_yielding(const sph_state *s, const float *values)
{
    const sph_walls *w = &s->walls;
    double sum = 0;
    for (int64_t i = 0; i < w->led_count; i++) {
        const double value = values[w->led[i]];
        sum += (double)(SPH_REGULAR_WALL * w->diagonal[w->led[i]]) * value * value;
    }
    return sum;
}

static void brace_surplus(void *context, int begin, int end)
{
    sph_walls *w = &((const brace_job *)context)->s->walls;
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->reached_count, end); i++) {
        int64_t b = w->reached[i];
        w->left[b] = w->weigh[b] * (w->density[b] - w->room[b]);
    }
}

static void brace_mean(void *context, int begin, int end)
{
    sph_walls *w = &((const brace_job *)context)->s->walls;
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->reached_count, end); i++) {
        int64_t b = w->reached[i];
        w->source[b] = brace_demand(w, b, w->left);
    }
}

void sph_brace_excess(sph_state *s)
{
    brace_job job = {.s = s};
    threads_for(sph_brace_blocks(s), brace_surplus, &job);
    threads_for(sph_brace_blocks(s), brace_mean, &job);
}
