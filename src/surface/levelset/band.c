#include "surface/levelset/band.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

int band_total(const levelset *ls)
{
    return ls->blocks[0] * ls->blocks[1] * ls->blocks[2];
}

static void band_sizes(levelset *ls, const domain *d)
{
    const bool flat = d->dims == 2;
    double longest = 0;
    ls->d = *d;
    for (int a = 0; a < d->dims; a++)
        longest = fmax(longest, d->h[a]);
    ls->width = (float)(LEVELSET_BAND * longest);
    for (int a = 0; a < 3; a++) {
        const bool used = a < d->dims;
        ls->side[a] = !used ? 1 : flat ? 16 : 8;
        ls->blocks[a] = (d->n[a] + ls->side[a] - 1) / ls->side[a];
        ls->size[a] = used ? ls->side[a] + 2 * PATCH_MARGIN : 1;
        ls->reach[a] = used ? (int)ceil(LEVELSET_BAND * longest / d->h[a]) : 0;
    }
    ls->stride[0] = 1;
    ls->stride[1] = wide_round(ls->size[0]);
    ls->stride[2] = flat ? 0 : ls->stride[1] * ls->size[1];
    ls->centre = PATCH_MARGIN * (ls->stride[0] + ls->stride[1] + ls->stride[2]);
}

fr_result levelset_create(const domain *d, levelset **out)
{
    levelset *ls = MEMORY_NEW(levelset, 1);
    *out = ls;
    if (!ls)
        return FR_ERROR_MEMORY;
    band_sizes(ls, d);
    const int total = band_total(ls);
    ls->list = MEMORY_NEW(int32_t, total);
    ls->slot = MEMORY_NEW(int32_t, total);
    ls->mark = MEMORY_NEW(uint8_t, total);
    ls->turn = MEMORY_NEW(int32_t, total);
    ls->colour = MEMORY_NEW(uint8_t, total);
    ls->crossing = MEMORY_NEW(band_span, total);
    ls->partial = MEMORY_NEW(double, (size_t)total *BAND_PARTIALS);
    ls->rows = MEMORY_NEW(double, d->n[1] * d->n[2]);
    bool full = ls->list && ls->slot && ls->mark && ls->turn && ls->colour && ls->crossing && ls->partial && ls->rows;
    for (int a = 0; a < 3; a++) {
        ls->along[a] = MEMORY_NEW(int32_t, ls->blocks[a]);
        full = full && ls->along[a];
    }
    for (int number = 0; number < total && full; number++)
        ls->slot[number] = -1;
    if (full)
        return FR_OK;
    levelset_destroy(ls);
    *out = NULL;
    return FR_ERROR_MEMORY;
}

static void band_free_values(levelset *ls)
{
    memory_free(ls->old);
    memory_free(ls->next);
    memory_free(ls->beside);
    ls->old = ls->next = NULL;
    ls->beside = NULL;
    ls->capacity = 0;
}

void levelset_destroy(levelset *ls)
{
    if (!ls)
        return;
    band_free_values(ls);
    for (int a = 0; a < 3; a++)
        memory_free(ls->along[a]);
    memory_free(ls->rows);
    memory_free(ls->partial);
    memory_free(ls->crossing);
    memory_free(ls->colour);
    memory_free(ls->turn);
    memory_free(ls->mark);
    memory_free(ls->slot);
    memory_free(ls->list);
    memory_free(ls);
}

size_t levelset_bytes(const levelset *ls)
{
    const size_t each =
        3 * sizeof *ls->list + 2 * sizeof *ls->mark + sizeof *ls->crossing + BAND_PARTIALS * sizeof *ls->partial;
    return sizeof *ls + (size_t)band_total(ls) * each + (size_t)ls->capacity * BLOCK_CELLS * (2 * sizeof(float)) +
           (size_t)ls->capacity * BLOCK_CELLS / WIDE;
}

float levelset_width(const levelset *ls)
{
    return ls->width;
}

fr_result band_reserve(levelset *ls)
{
    if (ls->count <= ls->capacity)
        return FR_OK;
    band_free_values(ls);
    const int capacity = ls->count + ls->count / 4;
    const size_t cells = (size_t)capacity * BLOCK_CELLS;
    ls->old = MEMORY_NEW(float, cells);
    ls->next = MEMORY_NEW(float, cells);
    ls->beside = MEMORY_NEW(uint8_t, cells / WIDE);
    if (!ls->old || !ls->next || !ls->beside) {
        band_free_values(ls);
        return FR_ERROR_MEMORY;
    }
    ls->capacity = capacity;
    return FR_OK;
}

band_block band_block_of(const levelset *ls, int number)
{
    const int at[3] = {number % ls->blocks[0], number / ls->blocks[0] % ls->blocks[1],
                       number / ls->blocks[0] / ls->blocks[1]};
    band_block b;
    for (int a = 0; a < 3; a++) {
        b.first[a] = at[a] * ls->side[a];
        const int left = ls->d.n[a] - b.first[a];
        b.inside[a] = left < ls->side[a] ? left : ls->side[a];
    }
    return b;
}

void band_for_blocks(const levelset *ls, void (*work)(void *, int, int), void *context)
{
    threads_for_cost(ls->count, BLOCK_CELLS, work, context);
}

void band_copy_block(const levelset *ls, int m, const field *phi, float *values)
{
    const band_block b = band_block_of(ls, ls->list[m]);
    for (int k = 0; k < b.inside[2]; k++)
        for (int j = 0; j < b.inside[1]; j++)
            memcpy(values + band_block_row(ls, j, k), field_row(phi, b.first[1] + j, b.first[2] + k) + b.first[0],
                   (size_t)b.inside[0] * sizeof *values);
}

static void band_scatter(const levelset *ls, const float *values, const band_block *b, field *phi)
{
    for (int k = 0; k < b->inside[2]; k++)
        for (int j = 0; j < b->inside[1]; j++) {
            const float *from = values + band_block_row(ls, j, k);
            float *to = field_row(phi, b->first[1] + j, b->first[2] + k) + b->first[0];
            for (int i = 0; i < b->inside[0]; i += WIDE)
                wide_store_first(to + i, wide_load(from + i), b->inside[0] - i);
        }
}

typedef struct band_job {
    const levelset *ls;
    const float *values;
    field *phi;
} band_job;

static void band_scatter_part(void *context, int begin, int end)
{
    const band_job *job = context;
    for (int m = begin; m < end; m++) {
        const band_block b = band_block_of(job->ls, job->ls->list[m]);
        if (job->ls->mark[job->ls->list[m]])
            band_scatter(job->ls, job->values + (size_t)m * BLOCK_CELLS, &b, job->phi);
    }
}

void band_scatter_marked(const levelset *ls, const float *values, field *phi)
{
    band_for_blocks(ls, band_scatter_part, &(band_job){ls, values, phi});
}

void levelset_open_sides(levelset *ls, const bool sides[6])
{
    for (int side = 0; side < 6; side++)
        ls->open[side] = sides[side];
}
