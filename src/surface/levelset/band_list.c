/* Which blocks the band touches: those around the cells beside the surface. */
#include <string.h>

#include "surface/levelset/band.h"

typedef struct list_job {
    const levelset *ls;
    field *phi;
} list_job;

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

enum { LIQUID_MOST = (8 + 2) * (8 + 2) };

/* The same for the rows of a block and those beside it. `first` is its first cell, in a patch or in φ itself. */
static void band_liquid_rows(const levelset *ls, const float *first, const ptrdiff_t stride[3],
                             unsigned liquid[LIQUID_MOST])
{
    const int line = ls->side[1] + 2, deep = ls->d.dims == 3;
    for (int k = -deep; k < ls->side[2] + deep; k++)
        for (int j = -1; j <= ls->side[1]; j++)
            liquid[(k + deep) * line + j + 1] = band_liquid(first + j * stride[1] + k * stride[2], ls->side[0]);
}

static void band_beside_rows(const levelset *ls, const unsigned liquid[LIQUID_MOST], uint16_t beside[BLOCK_ROWS])
{
    const int cells = ls->side[0], line = ls->side[1] + 2, deep = ls->d.dims == 3;
    for (int k = 0; k < ls->side[2]; k++)
        for (int j = 0; j < ls->side[1]; j++) {
            const unsigned *at = liquid + (k + deep) * line + j + 1, own = at[0] >> 1;
            unsigned other = (own ^ at[0]) | (own ^ at[0] >> 2) | (own ^ at[-1] >> 1) | (own ^ at[1] >> 1);
            if (deep)
                other |= (own ^ at[-line] >> 1) | (own ^ at[line] >> 1);
            beside[k * ls->side[1] + j] = (uint16_t)(other & ((1u << cells) - 1));
        }
}

void band_beside(const levelset *ls, const float *first, const ptrdiff_t stride[3], uint16_t beside[BLOCK_ROWS])
{
    unsigned liquid[LIQUID_MOST];
    band_liquid_rows(ls, first, stride, liquid);
    band_beside_rows(ls, liquid, beside);
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
    const list_job *job = context;
    const levelset *ls = job->ls;
    float patch[PATCH_MOST];
    unsigned liquid[LIQUID_MOST];
    uint16_t beside[BLOCK_ROWS];
    for (int m = begin; m < end; m++) {
        const band_block b = band_block_of(ls, ls->list[m]);
        if (!band_at_sides(ls, &b)) {
            band_liquid_rows(ls, field_row(job->phi, b.first[1], b.first[2]) + b.first[0], job->phi->stride, liquid);
        } else if (band_is_whole(ls, &b, job->phi)) {
            memset(liquid, 0, sizeof liquid);
        } else {
            band_gather(ls, job->phi, &b, false, patch);
            band_liquid_rows(ls, patch + ls->centre, ls->stride, liquid);
        }
        band_beside_rows(ls, liquid, beside);
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

/* Sets a block to ± the width. */
static void band_leave(const levelset *ls, const band_block *b, field *phi)
{
    for (int k = 0; k < b->inside[2]; k++)
        for (int j = 0; j < b->inside[1]; j++) {
            float *row = field_row(phi, b->first[1] + j, b->first[2] + k) + b->first[0];
            for (int i = 0; i < b->inside[0]; i++)
                row[i] = row[i] < 0 ? -ls->width : ls->width;
        }
}

static void band_leave_part(void *context, int begin, int end)
{
    const list_job *job = context;
    const levelset *ls = job->ls;
    for (int m = begin; m < end; m++) {
        const band_block b = band_block_of(ls, ls->list[m]);
        if (!ls->mark[ls->list[m]])
            band_leave(ls, &b, job->phi);
    }
}

/* Lists the blocks whose slot is not −1. Where the surface is in those that were listed moves on with them: what a step
   widens the list by is counted from there. */
static fr_result band_number(levelset *ls)
{
    int kept = 0;
    for (int m = 0; m < ls->count; m++)
        if (ls->slot[ls->list[m]] >= 0) {
            ls->turn[kept] = ls->list[m];
            ls->crossing[kept++] = ls->crossing[m];
        }
    ls->count = 0;
    for (int number = 0; number < band_total(ls); number++)
        if (ls->slot[number] >= 0) {
            ls->slot[number] = ls->count;
            ls->list[ls->count++] = number;
        }
    for (int m = ls->count - 1, old = kept - 1; m >= 0; m--) {
        const bool known = old >= 0 && ls->turn[old] == ls->list[m];
        ls->crossing[m] = known ? ls->crossing[old] : (band_span){{1, 1, 1}, {0, 0, 0}};
        old -= known;
    }
    return band_reserve(ls);
}

fr_result band_update(levelset *ls, field *phi, const int reach[3])
{
    list_job job = {.ls = ls, .phi = phi};
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
