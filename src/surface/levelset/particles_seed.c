/* Births and deaths of particles. They are sorted by their block of the band, and each block then keeps its own: those
   near the surface or escaped, and of the others at most `per_cell` in a cell. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"
#include "surface/levelset/particles_parts.h"
#include "surface/levelset/places.h"

typedef struct seed_job {
    levelset_particles *p;
    const levelset *ls;
    const field *phi, *solid;
    uint64_t seed;
    float nearest;                   /* m: particles are born no nearer to the surface than this */
    float band;                      /* m: they live within this distance of it */
    const levelset_renewal *renewal; /* where all are new; NULL: nowhere */
    bool wakes;                      /* only the waking blocks are filled */
    bool write;                      /* into `spare`; else they are only counted */
} seed_job;

static bool seed_is(const levelset_particles *p, int block, uint8_t calm)
{
    return p->calm && p->calm[block] == calm;
}

/* Whether places lie where all particles are new. */
static wide_mask seed_renews(const seed_job *job, const places *at)
{
    return places_values(job->renewal->region, at) < job->renewal->reach;
}

/* The slot of each particle's block, or −1 for those that die. */
static void seed_slot_part(void *context, int begin, int end)
{
    const seed_job *job = context;
    const levelset_particles *p = job->p;
    const levelset *ls = job->ls;
    for (int i = begin * PARTICLES_PIECE; i < end * PARTICLES_PIECE && i < p->count; i += WIDE) {
        const places at = places_load(p->place, (size_t)i);
        const wide radius = wide_load(p->radius + i), phi = places_values(job->phi, &at);
        const wide_mask near = wide_max(phi, -phi) < job->band;
        const wide_mask escaped = ((radius > 0) & (phi < -radius)) | ((radius < 0) & (phi > -radius));
        unsigned lives = wide_bits((near | escaped) & (radius != 0));
        if (job->renewal)
            lives &= ~wide_bits(seed_renews(job, &at));
        for (int l = 0; l < WIDE && i + l < p->count; l++) {
            const int number = particles_block(p, ls, i + l);
            p->key[i + l] = lives >> l & 1 && !seed_is(p, number, PARTICLES_CALM) ? ls->slot[number] : -1;
        }
    }
}

/* Sorts by slot, in the order in which they are; starts[m] is where slot m begins in `order`. */
static void seed_sort(const levelset_particles *p, int slots)
{
    int32_t *starts = p->starts;
    memset(starts, 0, (size_t)(slots + 1) * sizeof *starts);
    for (int i = 0; i < p->count; i++)
        if (p->key[i] >= 0)
            starts[p->key[i] + 1]++;
    for (int m = 0; m < slots; m++)
        starts[m + 1] += starts[m];
    for (int i = 0; i < p->count; i++)
        if (p->key[i] >= 0)
            p->order[starts[p->key[i]]++] = i;
    for (int m = slots; m > 0; m--)
        starts[m] = starts[m - 1];
    starts[0] = 0;
}

/* One block while its particles are chosen. */
typedef struct seed_block {
    band_block b;
    uint8_t there[BLOCK_CELLS]; /* particles of each cell */
    int count;                  /* of the block so far */
    int first;                  /* where they are written */
} seed_block;

static void seed_write(const seed_job *job, seed_block *block, const float place[3], float radius)
{
    if (job->write) {
        const int to = block->first + block->count;
        for (int a = 0; a < 3; a++)
            job->p->spare[a][to] = place[a];
        job->p->spare[3][to] = radius;
    }
    block->count++;
}

static void seed_keep(const seed_job *job, int m, seed_block *block)
{
    const levelset_particles *p = job->p;
    const levelset *ls = job->ls;
    for (int n = p->starts[m]; n < p->starts[m + 1]; n++) {
        const int i = p->order[n];
        int cell = 0;
        for (int a = p->d.dims - 1; a >= 0; a--)
            cell = cell * ls->side[a] + particles_cell(&p->d, a, p->place[a][i]) - block->b.first[a];
        const float place[3] = {p->place[0][i], p->place[1][i], p->place[2][i]};
        /* those near the surface are its memory, and stay even where the flow has crowded them */
        const int most = fabsf(p->radius[i]) < particles_most(p) ? UINT8_MAX : p->per_cell;
        if (block->there[cell] < most) {
            block->there[cell]++;
            seed_write(job, block, place, p->radius[i]);
        }
    }
}

/* Eight places in a cell, by a hash of the step, the cell and their numbers from `first` on. */
static void seed_places(const seed_job *job, const int cell[3], int first, float place[3][WIDE])
{
    const domain *d = &job->p->d;
    const uint64_t number =
        ((uint64_t)cell[2] * (uint64_t)d->n[1] + (uint64_t)cell[1]) * (uint64_t)d->n[0] + (uint64_t)cell[0];
    for (int l = 0; l < WIDE; l++) {
        const uint64_t bits = random_bits(job->seed, number * UINT8_MAX + (uint64_t)(first + l));
        for (int a = 0; a < 3; a++)
            place[a][l] = a < d->dims ? (float)cell[a] + (float)(bits >> (21 * a) & 0x1fffff) * 0x1p-21f : 0;
    }
}

/* Fills a cell up; places too near to the surface, too far from it or in a solid stay empty. */
static void seed_fill(const seed_job *job, const int cell[3], int there, seed_block *block)
{
    const levelset_particles *p = job->p;
    const float least = particles_least(p), most = particles_most(p);
    for (int first = there; first < p->per_cell; first += WIDE) {
        float place[3][WIDE], value[WIDE];
        seed_places(job, cell, first, place);
        const places at = {{wide_load(place[0]), wide_load(place[1]), wide_load(place[2])}};
        const wide phi = places_values(job->phi, &at), size = wide_max(phi, -phi);
        wide_mask good = (size >= job->nearest) & (size < job->band);
        if (job->solid)
            good &= places_values(job->solid, &at) >= 0;
        if (job->renewal)
            good &= seed_renews(job, &at);
        wide_store(value, phi);
        for (unsigned bits = wide_bits(good); bits; bits &= bits - 1) {
            const int l = __builtin_ctz(bits);
            if (first + l < p->per_cell)
                seed_write(job, block, (const float[3]){place[0][l], place[1][l], place[2][l]},
                           copysignf(fmaxf(fminf(fabsf(value[l]), most), least), value[l]));
        }
    }
}

static void seed_blocks_part(void *context, int begin, int end)
{
    const seed_job *job = context;
    const levelset *ls = job->ls;
    int32_t *births = job->p->starts + ls->count + 1; /* where a block's particles begin; first their number */
    for (int m = begin; m < end; m++) {
        seed_block block = {.b = band_block_of(ls, ls->list[m]), .first = job->write ? births[m] : 0};
        const band_block *b = &block.b;
        const bool fills =
            job->wakes ? seed_is(job->p, ls->list[m], PARTICLES_WAKING) : !seed_is(job->p, ls->list[m], PARTICLES_CALM);
        seed_keep(job, m, &block);
        for (int k = 0; k < b->inside[2] && fills; k++)
            for (int j = 0; j < b->inside[1]; j++)
                for (int i = 0; i < b->inside[0]; i++) {
                    const int cell[3] = {b->first[0] + i, b->first[1] + j, b->first[2] + k};
                    /* where all are new, those that are there lie in other parts of the cell */
                    const int there = job->renewal ? 0 : block.there[band_block_row(ls, j, k) + (size_t)i];
                    if (fabsf(field_row(job->phi, cell[1], cell[2])[cell[0]]) < job->band)
                        seed_fill(job, cell, there, &block);
                }
        if (!job->write)
            births[m] = block.count;
    }
}

static fr_result seed_reserve_starts(levelset_particles *p, int slots)
{
    const int needed = 2 * (slots + 1);
    if (needed <= p->start_count)
        return FR_OK;
    memory_free(p->starts);
    p->start_count = 0;
    p->starts = MEMORY_NEW(int32_t, needed + needed / 4);
    if (!p->starts)
        return FR_ERROR_MEMORY;
    p->start_count = needed + needed / 4;
    return FR_OK;
}

static void seed_swap(levelset_particles *p)
{
    for (int s = 0; s < 4; s++) {
        float **live = s < 3 ? &p->place[s] : &p->radius, *t = *live;
        *live = p->spare[s];
        p->spare[s] = t;
    }
}

/* Chooses the particles of each block, counts them, and then writes them. */
static fr_result seed_run(seed_job *job, levelset *ls)
{
    levelset_particles *p = job->p;
    job->ls = ls;
    job->band = 0.75f * ls->width;
    FR_TRY(seed_reserve_starts(p, ls->count));
    threads_for_cost(particles_pieces(p), PARTICLES_PIECE * 8, seed_slot_part, job);
    seed_sort(p, ls->count);
    band_for_blocks(ls, seed_blocks_part, job);
    int32_t *births = p->starts + ls->count + 1;
    int64_t total = 0;
    for (int m = 0; m < ls->count; m++) {
        const int64_t more = births[m];
        births[m] = (int32_t)total;
        total += more;
    }
    FR_TRY(levelset_particles_reserve(p, total));
    job->write = true;
    band_for_blocks(ls, seed_blocks_part, job);
    seed_swap(p);
    p->count = (int)total;
    return FR_OK;
}

fr_result levelset_particles_seed(levelset_particles *p, levelset *ls, const field *phi, const field *solid,
                                  uint64_t step)
{
    seed_job job = {.p = p, .phi = phi, .solid = solid, .seed = step};
    /* Those born later keep away from the surface: there they would bear witness to errors that older ones correct. */
    job.nearest = p->count == 0 ? 0 : particles_most(p);
    return seed_run(&job, ls);
}

fr_result levelset_particles_renew(levelset_particles *p, levelset *ls, const field *phi,
                                   const levelset_renewal *renewal)
{
    seed_job job = {.p = p, .phi = phi, .solid = renewal->solid, .seed = renewal->step, .renewal = renewal};
    return seed_run(&job, ls);
}

fr_result levelset_particles_wake(levelset_particles *p, levelset *ls, const levelset_stir *stir)
{
    seed_job job = {.p = p, .phi = stir->phi, .solid = stir->solid, .seed = stir->step, .wakes = true};
    return seed_run(&job, ls);
}
