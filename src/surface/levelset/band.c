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
    ls->crossing = MEMORY_NEW(band_span, total);
    ls->partial = MEMORY_NEW(double, (size_t)total *BAND_PARTIALS);
    ls->rows = MEMORY_NEW(double, d->n[1] * d->n[2]);
    bool full = ls->list && ls->slot && ls->mark && ls->crossing && ls->partial && ls->rows;
    for (int a = 0; a < 3; a++) {
        ls->along[a] = MEMORY_NEW(int32_t, ls->blocks[a]);
        full = full && ls->along[a];
    }
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
    memory_free(ls->mark);
    memory_free(ls->slot);
    memory_free(ls->list);
    memory_free(ls);
}

size_t levelset_bytes(const levelset *ls)
{
    const size_t each =
        2 * sizeof *ls->list + sizeof *ls->mark + sizeof *ls->crossing + BAND_PARTIALS * sizeof *ls->partial;
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
            memcpy(field_row(phi, b->first[1] + j, b->first[2] + k) + b->first[0], from,
                   (size_t)b->inside[0] * sizeof *from);
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

unsigned band_beside(const float *at, const ptrdiff_t stride[3])
{
    const wide_mask own = wide_load(at) < 0;
    wide_mask beside = {0};
    for (int a = 0; a < 3; a++)
        beside |= (own ^ (wide_load(at + stride[a]) < 0)) | (own ^ (wide_load(at - stride[a]) < 0));
    return wide_bits(beside);
}

static void band_widen(band_span *span, int i, int j, int k)
{
    const int at[3] = {i, j, k};
    for (int a = 0; a < 3; a++) {
        span->low[a] = at[a] < span->low[a] ? (int16_t)at[a] : span->low[a];
        span->high[a] = at[a] > span->high[a] ? (int16_t)at[a] : span->high[a];
    }
}

/* `first` is the block's first cell, in a patch or in φ itself. */
static band_span band_crossing(const band_block *b, const float *first, const ptrdiff_t stride[3])
{
    band_span span = {{INT16_MAX, INT16_MAX, INT16_MAX}, {-1, -1, -1}};
    for (int k = 0; k < b->inside[2]; k++)
        for (int j = 0; j < b->inside[1]; j++)
            for (int i = 0; i < b->inside[0]; i += WIDE) {
                const int left = b->inside[0] - i;
                const unsigned bits = band_beside(first + i + j * stride[1] + k * stride[2], stride) &
                                      (left < WIDE ? (1u << left) - 1 : 0xffu);
                if (bits) {
                    band_widen(&span, i + __builtin_ctz(bits), j, k);
                    band_widen(&span, i + 31 - __builtin_clz(bits), j, k);
                }
            }
    return span;
}

static void band_crossing_part(void *context, int begin, int end)
{
    const band_job *job = context;
    const levelset *ls = job->ls;
    float patch[PATCH_MOST];
    for (int m = begin; m < end; m++) {
        const band_block b = band_block_of(ls, ls->list[m]);
        const bool side = band_at_sides(ls, &b);
        if (side)
            band_gather(ls, job->phi, &b, false, patch);
        ls->crossing[m] =
            side ? band_crossing(&b, patch + ls->centre, ls->stride)
                 : band_crossing(&b, field_row(job->phi, b.first[1], b.first[2]) + b.first[0], job->phi->stride);
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

/* What a block holds: all of it beyond the band on one side, or anything else. */
enum { BAND_MIXED, BAND_LIQUID, BAND_AIR };

static uint8_t band_holds(const levelset *ls, const band_block *b, const field *phi)
{
    wide_mask liquid = ~(wide_mask){0}, air = liquid;
    for (int k = 0; k < b->inside[2]; k++)
        for (int j = 0; j < b->inside[1]; j++) {
            const float *row = field_row(phi, b->first[1] + j, b->first[2] + k) + b->first[0];
            for (int i = 0; i < b->inside[0]; i += WIDE) {
                const wide_mask lane = {0, 1, 2, 3, 4, 5, 6, 7}, beyond = lane >= b->inside[0] - i;
                const wide value = wide_load(row + i);
                liquid &= (value == -ls->width) | beyond;
                air &= (value == ls->width) | beyond;
            }
        }
    return wide_every(liquid) ? BAND_LIQUID : wide_every(air) ? BAND_AIR : BAND_MIXED;
}

static void band_holds_part(void *context, int begin, int end)
{
    const band_job *job = context;
    for (int number = begin; number < end; number++) {
        const band_block b = band_block_of(job->ls, number);
        job->ls->mark[number] = band_holds(job->ls, &b, job->phi);
    }
}

/* Whether the surface can be in a block, or between it and the next ones. */
static bool band_may_cross(const levelset *ls, int number)
{
    const int step[3] = {1, ls->blocks[0], ls->blocks[0] * ls->blocks[1]};
    bool may = ls->mark[number] == BAND_MIXED;
    for (int a = 0; a < ls->d.dims; a++)
        for (int way = -1; way <= 1; way += 2) {
            const int n = ls->blocks[a], at = number / step[a] % n, to = at + way;
            const int beside = ls->d.periodic[a] ? (to + n) % n : to < 0 || to >= n ? at : to;
            may = may || ls->mark[number + (beside - at) * step[a]] != ls->mark[number];
        }
    return may;
}

fr_result levelset_find(levelset *ls, field *phi)
{
    threads_for_cost(band_total(ls), BLOCK_CELLS, band_holds_part, &(band_job){.ls = ls, .phi = phi});
    ls->count = 0;
    for (int number = 0; number < band_total(ls); number++)
        if (band_may_cross(ls, number))
            ls->list[ls->count++] = number;
    fr_result result = band_update(ls, phi, ls->reach);
    levelset_fill_ghosts(ls, phi);
    return result;
}

void levelset_open_sides(levelset *ls, const bool sides[6])
{
    for (int side = 0; side < 6; side++)
        ls->open[side] = sides[side];
}
