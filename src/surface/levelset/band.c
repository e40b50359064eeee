#include "surface/levelset/band.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

static int band_total(const levelset *ls)
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

/* Room for the values of all listed blocks, and a quarter more. */
static fr_result band_reserve(levelset *ls)
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

void band_widen(band_span *span, unsigned cells, int j, int k)
{
    const int low[3] = {__builtin_ctz(cells), j, k}, high[3] = {31 - __builtin_clz(cells), j, k};
    for (int a = 0; a < 3; a++) {
        span->low[a] = low[a] < span->low[a] ? (int16_t)low[a] : span->low[a];
        span->high[a] = high[a] > span->high[a] ? (int16_t)high[a] : span->high[a];
    }
}

/* Bits of the cells −1 … 30 of a row that are liquid, as far as the block goes: bit i + 1 is cell i. */
static inline unsigned band_liquid(const float *row, int cells)
{
    unsigned bits = 0;
    for (int i = 0; i < cells + 2; i += WIDE)
        bits |= wide_bits(wide_load(row + i - 1) < 0) << i;
    return bits;
}

/* `first` is the block's first cell, in a patch or in φ itself. */
void band_beside(const levelset *ls, const float *first, const ptrdiff_t stride[3], uint16_t beside[BLOCK_ROWS])
{
    enum { MOST = (8 + 2) * (8 + 2) };
    unsigned liquid[MOST];
    const int cells = ls->side[0], line = ls->side[1] + 2, deep = ls->d.dims == 3;
    for (int k = -deep; k < ls->side[2] + deep; k++)
        for (int j = -1; j <= ls->side[1]; j++)
            liquid[(k + deep) * line + j + 1] = band_liquid(first + j * stride[1] + k * stride[2], cells);
    for (int k = 0; k < ls->side[2]; k++)
        for (int j = 0; j < ls->side[1]; j++) {
            const unsigned *at = liquid + (k + deep) * line + j + 1, own = at[0] >> 1;
            unsigned other = (own ^ at[0]) | (own ^ at[0] >> 2) | (own ^ at[-1] >> 1) | (own ^ at[1] >> 1);
            if (deep)
                other |= (own ^ at[-line] >> 1) | (own ^ at[line] >> 1);
            beside[k * ls->side[1] + j] = (uint16_t)(other & ((1u << cells) - 1));
        }
}

static band_span band_crossing(const levelset *ls, const band_block *b, const uint16_t beside[BLOCK_ROWS])
{
    band_span span = {{INT16_MAX, INT16_MAX, INT16_MAX}, {-1, -1, -1}};
    const unsigned box = (1u << b->inside[0]) - 1;
    for (int k = 0; k < b->inside[2]; k++)
        for (int j = 0; j < b->inside[1]; j++) {
            const unsigned bits = beside[k * ls->side[1] + j] & box;
            if (bits)
                band_widen(&span, bits, j, k);
        }
    return span;
}

/* Whether all cells of a block's patch are on one side of the surface, and what lies beyond the sides of the box then
   is too: a surface goes on beyond a side only where it is near inside. */
static bool band_is_whole(const levelset *ls, const band_block *b, const field *phi)
{
    const wide_mask lane = {0, 1, 2, 3, 4, 5, 6, 7};
    const bool liquid = field_row(phi, b->first[1], b->first[2])[b->first[0]] < 0;
    int low[3], high[3];
    for (int a = 0; a < 3; a++) {
        const int margin = a < ls->d.dims ? PATCH_MARGIN : 0;
        low[a] = b->first[a] > margin ? b->first[a] - margin : 0;
        high[a] = b->first[a] + ls->side[a] + margin;
        const bool beyond[2] = {b->first[a] < margin, high[a] > ls->d.n[a]};
        high[a] = beyond[1] ? ls->d.n[a] : high[a];
        if ((beyond[0] || beyond[1]) && ls->d.periodic[a])
            return false;
        if (liquid && ((beyond[0] && ls->open[2 * a]) || (beyond[1] && ls->open[2 * a + 1])))
            return false;
    }
    for (int k = low[2]; k < high[2]; k++)
        for (int j = low[1]; j < high[1]; j++)
            for (int i = low[0]; i < high[0]; i += WIDE) {
                const wide value = wide_load(field_row(phi, j, k) + i);
                const wide_mask other = liquid ? value >= 0 : value < 0;
                if (wide_any(other & (lane < high[0] - i)))
                    return false;
            }
    return true;
}

static void band_crossing_part(void *context, int begin, int end)
{
    const band_job *job = context;
    const levelset *ls = job->ls;
    float patch[PATCH_MOST];
    uint16_t beside[BLOCK_ROWS];
    for (int m = begin; m < end; m++) {
        const band_block b = band_block_of(ls, ls->list[m]);
        if (!band_at_sides(ls, &b)) {
            band_beside(ls, field_row(job->phi, b.first[1], b.first[2]) + b.first[0], job->phi->stride, beside);
        } else if (band_is_whole(ls, &b, job->phi)) {
            memset(beside, 0, sizeof beside);
        } else {
            band_gather(ls, job->phi, &b, false, patch);
            band_beside(ls, patch + ls->centre, ls->stride, beside);
        }
        ls->crossing[m] = band_crossing(ls, &b, beside);
    }
}

/* Numbers of the blocks along an axis that hold the cells low … high. */
static int band_along(const levelset *ls, int axis, int low, int high)
{
    const int n = ls->d.n[axis], side = ls->side[axis];
    if (!ls->d.periodic[axis]) {
        low = low < 0 ? 0 : low;
        high = high < n ? high : n - 1;
    }
    int count = 0;
    for (int c = low; c <= high && count < ls->blocks[axis];) {
        const int cell = band_cell(&ls->d, axis, c), to_side = side - cell % side, to_end = n - cell;
        ls->along[axis][count++] = cell / side;
        c += to_side < to_end ? to_side : to_end;
    }
    return count;
}

void band_mark(const levelset *ls, int number, const band_span *span, const int reach[3])
{
    if (span->low[0] > span->high[0])
        return;
    const band_block b = band_block_of(ls, number);
    int count[3];
    for (int a = 0; a < 3; a++)
        count[a] = band_along(ls, a, b.first[a] + span->low[a] - reach[a], b.first[a] + span->high[a] + reach[a]);
    for (int k = 0; k < count[2]; k++)
        for (int j = 0; j < count[1]; j++)
            for (int i = 0; i < count[0]; i++)
                ls->mark[(ls->along[2][k] * ls->blocks[1] + ls->along[1][j]) * ls->blocks[0] + ls->along[0][i]] =
                    BAND_TAKEN;
}

void band_unmark(const levelset *ls)
{
    memset(ls->mark, 0, (size_t)band_total(ls));
}

/* Sets blocks that are no longer marked to ± the width. */
static void band_leave_part(void *context, int begin, int end)
{
    const band_job *job = context;
    const levelset *ls = job->ls;
    for (int m = begin; m < end; m++) {
        if (ls->mark[ls->list[m]])
            continue;
        const band_block b = band_block_of(ls, ls->list[m]);
        for (int k = 0; k < b.inside[2]; k++)
            for (int j = 0; j < b.inside[1]; j++) {
                float *row = field_row(job->phi, b.first[1] + j, b.first[2] + k) + b.first[0];
                for (int i = 0; i < b.inside[0]; i++)
                    row[i] = row[i] < 0 ? -ls->width : ls->width;
            }
    }
}

/* Lists the blocks whose slot is not −1. */
static fr_result band_number(levelset *ls)
{
    ls->count = 0;
    for (int number = 0; number < band_total(ls); number++)
        if (ls->slot[number] >= 0) {
            ls->slot[number] = ls->count;
            ls->list[ls->count++] = number;
        }
    return band_reserve(ls);
}

fr_result band_update(levelset *ls, field *phi, const int reach[3])
{
    band_job job = {.ls = ls, .phi = phi};
    band_for_blocks(ls, band_crossing_part, &job);
    band_unmark(ls);
    for (int m = 0; m < ls->count; m++)
        band_mark(ls, ls->list[m], &ls->crossing[m], reach);
    for (int m = 0; m < ls->count; m++)
        if (ls->crossing[m].low[0] <= ls->crossing[m].high[0])
            ls->mark[ls->list[m]] = BAND_CROSSED;
    band_for_blocks(ls, band_leave_part, &job);
    for (int number = 0; number < band_total(ls); number++)
        ls->slot[number] = ls->mark[number] ? 0 : -1;
    return band_number(ls);
}

fr_result band_add_marked(levelset *ls)
{
    for (int number = 0; number < band_total(ls); number++)
        if (ls->mark[number])
            ls->slot[number] = 0;
    return band_number(ls);
}

void levelset_open_sides(levelset *ls, const bool sides[6])
{
    for (int side = 0; side < 6; side++)
        ls->open[side] = sides[side];
}
