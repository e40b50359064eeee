/* Correction of φ by escaped particles (Enright et al. 2002, section 3.3). Each says what φ is at the eight cells
   around it. Those of the air make φ⁺ as large as they say, those of the liquid φ⁻ as small; of both the one nearer to
   zero is taken. Where the volume of the liquid is known, they are believed as far as it allows (particles_balance.c).

   In the paper each is a sphere, φₚ = s (r − |x − xₚ|). Along a smooth surface spheres say too little: only one that is
   right in front of a cell moves it all the way, and a scheme that loses to one side loses for good. But there the
   surface's direction is known, and the particle knows where along it the surface is. So

     φₚ = s r + g·(x − xₚ) − s (1 − |g|) |x − xₚ|,   g = ∇φ at the particle, |g| ≤ 1:

   the plane where φ is a distance with a slope of one, and the sphere where it has none, in drops and sheets. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "surface/levelset/particles_parts.h"
#include "surface/levelset/places.h"

typedef struct correct_job {
    levelset_particles *p;
    levelset *ls;
    const field *phi;
    bool weighs; /* what they bear witness to is wanted too */
} correct_job;

/* Collects the escaped ones of each piece in `order`, from where the piece begins. */
static void correct_find_part(void *context, int begin, int end)
{
    const correct_job *job = context;
    levelset_particles *p = job->p;
    for (int piece = begin; piece < end; piece++) {
        const int first = piece * PARTICLES_PIECE,
                  last = first + PARTICLES_PIECE < p->count ? first + PARTICLES_PIECE : p->count;
        int found = 0;
        for (int i = first; i < last; i += WIDE) {
            const places at = places_load(p->place, (size_t)i);
            const wide radius = wide_load(p->radius + i), phi = places_values(job->phi, &at);
            const wide_mask air = radius > 0, liquid = radius < 0;
            unsigned bits = wide_bits((air & (phi < -radius)) | (liquid & (phi > -radius)));
            if (last - i < WIDE)
                bits &= (1u << (last - i)) - 1;
            for (; bits; bits &= bits - 1)
                p->order[first + found++] = i + __builtin_ctz(bits);
        }
        p->pieces[piece] = found;
    }
}

/* A cell around a particle. */
typedef struct correct_cell {
    int number;    /* of its block */
    int at;        /* in the block's values */
    float away[3]; /* m, from the particle to its centre */
    float share;   /* of the particle, by linear weights */
} correct_cell;

/* The cells around a particle that lie in the box. */
static int correct_cells(const correct_job *job, int i, correct_cell cells[8])
{
    const levelset *ls = job->ls;
    const domain *d = &ls->d;
    int count = 0;
    for (int corner = 0; corner < 1 << d->dims; corner++) {
        int block[3] = {0, 0, 0}, local[3] = {0, 0, 0};
        correct_cell cell = {.share = 1};
        bool inside = true;
        for (int a = 0; a < d->dims; a++) {
            const float place = job->p->place[a][i];
            int c = (int)floorf(place - 0.5f) + (corner >> a & 1);
            const double away = c + 0.5 - (double)place;
            cell.away[a] = (float)(away * d->h[a]);
            cell.share *= (float)(1 - fabs(away));
            if (d->periodic[a])
                c = (c + d->n[a]) % d->n[a];
            inside = inside && c >= 0 && c < d->n[a];
            block[a] = c / ls->side[a];
            local[a] = c % ls->side[a];
        }
        cell.number = (block[2] * ls->blocks[1] + block[1]) * ls->blocks[0] + block[0];
        cell.at = (local[2] * ls->side[1] + local[1]) * ls->side[0] + local[0];
        if (inside)
            cells[count++] = cell;
    }
    return count;
}

static void correct_each(const correct_job *job, void (*work)(const correct_job *job, int particle))
{
    const levelset_particles *p = job->p;
    for (int piece = 0; piece < particles_pieces(p); piece++)
        for (int n = 0; n < p->pieces[piece]; n++)
            work(job, p->order[piece * PARTICLES_PIECE + n]);
}

/* Marks the blocks of the cells around a particle: mostly one. */
static void correct_mark(const correct_job *job, int particle)
{
    const levelset *ls = job->ls;
    int block[3][2] = {{0}}, ends[3] = {1, 1, 1};
    for (int a = 0; a < ls->d.dims; a++) {
        const int low = (int)floorf(job->p->place[a][particle] - 0.5f);
        const int first = band_cell(&ls->d, a, low), second = band_cell(&ls->d, a, low + 1);
        block[a][0] = (first < 0 ? second : first) / ls->side[a];
        block[a][1] = (second < 0 ? first : second) / ls->side[a];
        ends[a] = block[a][0] == block[a][1] ? 1 : 2;
    }
    for (int k = 0; k < ends[2]; k++)
        for (int j = 0; j < ends[1]; j++)
            for (int i = 0; i < ends[0]; i++)
                ls->mark[(block[2][k] * ls->blocks[1] + block[1][j]) * ls->blocks[0] + block[0][i]] = 1;
}

/* ∇φ at a particle, no steeper than a distance is. Returns its size. */
static float correct_slope(const correct_job *job, int particle, float slope[3])
{
    const domain *d = &job->ls->d;
    int low[3] = {0, 0, 0};
    float share[3] = {0, 0, 0}, square = 0;
    for (int a = 0; a < d->dims; a++) {
        const float place = job->p->place[a][particle] - 0.5f;
        low[a] = (int)floorf(place);
        share[a] = place - (float)low[a];
    }
    for (int corner = 0; corner < 1 << d->dims; corner++) {
        const float *row = field_row(job->phi, low[1] + (corner >> 1 & 1), low[2] + (corner >> 2));
        for (int a = 0; a < d->dims; a++) {
            float weight = corner >> a & 1 ? 1 : -1;
            for (int b = 0; b < d->dims; b++)
                weight *= b == a ? 1 : corner >> b & 1 ? share[b] : 1 - share[b];
            slope[a] += weight * row[low[0] + (corner & 1)];
        }
    }
    for (int a = 0; a < d->dims; a++) {
        slope[a] /= (float)d->h[a];
        square += slope[a] * slope[a];
    }
    for (int a = 0; a < d->dims && square > 1; a++)
        slope[a] /= sqrtf(square);
    return fminf(sqrtf(square), 1);
}

/* φ⁻ is in `old`, φ⁺ in `next`. */
static void correct_say(const correct_job *job, int particle)
{
    const levelset *ls = job->ls;
    correct_cell cells[8];
    float slope[3] = {0, 0, 0};
    const int count = correct_cells(job, particle, cells);
    const float steep = correct_slope(job, particle, slope), radius = job->p->radius[particle],
                side = radius > 0 ? 1 : -1;
    for (int c = 0; c < count; c++) {
        const float *away = cells[c].away;
        const float far = sqrtf(away[0] * away[0] + away[1] * away[1] + away[2] * away[2]);
        const float value =
            radius + slope[0] * away[0] + slope[1] * away[1] + slope[2] * away[2] - side * (1 - steep) * far;
        const size_t at = (size_t)ls->slot[cells[c].number] * BLOCK_CELLS + (size_t)cells[c].at;
        if (radius > 0)
            ls->next[at] = fmaxf(ls->next[at], value);
        else
            ls->old[at] = fminf(ls->old[at], value);
        if (job->weighs)
            job->p->witness[2 * at + (radius > 0)] += cells[c].share / (float)job->p->per_cell;
    }
}

static void correct_copy_part(void *context, int begin, int end)
{
    const correct_job *job = context;
    const levelset *ls = job->ls;
    for (int m = begin; m < end; m++) {
        if (!ls->mark[ls->list[m]])
            continue;
        const size_t first = (size_t)m * BLOCK_CELLS;
        band_copy_block(ls, m, job->phi, ls->old + first);
        memcpy(ls->next + first, ls->old + first, BLOCK_CELLS * sizeof *ls->next);
        if (job->weighs)
            memset(job->p->witness + 2 * first, 0, 2 * BLOCK_CELLS * sizeof *job->p->witness);
    }
}

static void correct_merge_part(void *context, int begin, int end)
{
    const correct_job *job = context;
    const levelset *ls = job->ls;
    for (int m = begin; m < end; m++) {
        if (!ls->mark[ls->list[m]])
            continue;
        float *liquid = ls->old + (size_t)m * BLOCK_CELLS, *air = ls->next + (size_t)m * BLOCK_CELLS;
        for (size_t i = 0; i < band_block_row(ls, 0, ls->side[2]); i++)
            air[i] = fabsf(air[i]) <= fabsf(liquid[i]) ? air[i] : liquid[i];
    }
}

static fr_result correct_reserve_witness(levelset_particles *p, int blocks)
{
    if (blocks <= p->witness_blocks)
        return FR_OK;
    memory_free(p->witness);
    p->witness_blocks = 0;
    p->witness = MEMORY_NEW(float, (size_t)(blocks + blocks / 4) * 2 * BLOCK_CELLS);
    if (!p->witness)
        return FR_ERROR_MEMORY;
    p->witness_blocks = blocks + blocks / 4;
    return FR_OK;
}

fr_result levelset_particles_correct(levelset_particles *p, levelset *ls, const levelset_total *total, field *phi)
{
    correct_job job = {p, ls, phi, total != NULL};
    threads_for_cost(particles_pieces(p), PARTICLES_PIECE * 4, correct_find_part, &job);
    int count = 0;
    for (int piece = 0; piece < particles_pieces(p); piece++)
        count += p->pieces[piece];
    if (count == 0)
        return FR_OK;
    band_unmark(ls);
    correct_each(&job, correct_mark);
    FR_TRY(band_add_marked(ls));
    if (total)
        FR_TRY(correct_reserve_witness(p, ls->count));
    band_for_blocks(ls, correct_copy_part, &job);
    correct_each(&job, correct_say);
    band_for_blocks(ls, correct_merge_part, &job);
    if (total)
        levelset_particles_balance(p, ls, total, phi);
    else
        band_scatter_marked(ls, ls->next, phi);
    levelset_fill_ghosts(ls, phi);
    return FR_OK;
}

int levelset_particles_find_escaped(levelset_particles *p, const field *phi)
{
    int count = 0;
    threads_for_cost(particles_pieces(p), PARTICLES_PIECE * 4, correct_find_part, &(correct_job){.p = p, .phi = phi});
    for (int piece = 0; piece < particles_pieces(p); piece++)
        for (int n = 0; n < p->pieces[piece]; n++)
            p->order[count++] = p->order[piece * PARTICLES_PIECE + n];
    return count;
}
