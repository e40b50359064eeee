#include "surface/levelset/band.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "grid/halo.h"

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

/* The cell that stands for cell c along an axis: itself, or the one it wraps to; −1: beyond a side. */
static int band_cell(const domain *d, int axis, int c)
{
    const int n = d->n[axis];
    if (c >= 0 && c < n)
        return c;
    return d->periodic[axis] ? (c % n + n) % n : -1;
}

/* A line of cells along a side: the cell looked at, how many there are before and behind it, and the way from one to
   the next. */
typedef struct band_line {
    int before, behind;
    ptrdiff_t step;
} band_line;

/* Whether the surface meets a wall within three cells of a cell there, by its lines along the wall and the way `in`. */
static bool band_meets(const float *edge, ptrdiff_t in, const band_line along[2])
{
    enum { NEAR = 3 };
    const bool inside = edge[0] < 0;
    bool meets = (edge[in] < 0) != inside;
    for (int a = 0; a < 2 && !meets; a++)
        for (int i = -NEAR; i <= NEAR; i++)
            meets = meets || (i >= -along[a].before && i <= along[a].behind && (edge[i * along[a].step] < 0) != inside);
    return meets;
}

/* A value beyond a side. Where the surface does not meet the side there is none beyond it either: the value has the
   sign of the last one inside, and as a distance does not fall. Without this a distance that falls towards a side would
   grow a surface there out of nothing. */
static float band_beyond(float edge, float beyond, bool meets, bool distance)
{
    if (meets)
        return beyond;
    if (distance && fabsf(beyond) < fabsf(edge))
        return edge;
    return (beyond < 0) == (edge < 0) ? beyond : 1e-3f * edge;
}

/* How a line goes on beyond its last value. */
typedef struct band_end {
    float most; /* the steepest slope allowed, per cell */
    bool meets, distance;
} band_end;

/* Continues a line beyond its last value `edge` with the slope there. */
static void band_continue(float *edge, int step, int count, const band_end *end)
{
    const float change = end->most > 0 ? fmaxf(fminf(edge[0] - edge[-step], end->most), -end->most) : 0;
    for (int i = 1; i <= count; i++)
        edge[i * step] = band_beyond(edge[0], edge[0] + (float)i * change, end->meets, end->distance);
}

/* Fills what lies beyond the sides of an axis, over all of the patch's other two axes. */
static void band_extrapolate(const levelset *ls, const band_block *b, int axis, bool distance, float *patch)
{
    const int n = ls->d.n[axis], start = b->first[axis] - PATCH_MARGIN, step = ls->stride[axis];
    const int below = start < 0 ? -start : 0, above = n - start; /* the patch's first and last + 1 in the box */
    const float most = n == 1 ? 0 : distance ? (float)ls->d.h[axis] : INFINITY;
    const int other = axis == 0 ? 1 : 0, third = axis == 2 ? 1 : 2;
    for (int k = 0; k < ls->size[third]; k++)
        for (int j = 0; j < ls->size[other]; j++) {
            float *line = patch + j * ls->stride[other] + k * ls->stride[third];
            const band_line along[2] = {{j, ls->size[other] - 1 - j, ls->stride[other]},
                                        {k, ls->size[third] - 1 - k, ls->stride[third]}};
            if (below > 0) {
                float *edge = line + below * step;
                const bool meets = !ls->open[2 * axis] && band_meets(edge, n == 1 ? 0 : step, along);
                band_continue(edge, -step, below, &(band_end){most, meets, distance});
            }
            if (above < ls->size[axis]) {
                float *edge = line + (above - 1) * step;
                const bool meets = !ls->open[2 * axis + 1] && band_meets(edge, n == 1 ? 0 : -step, along);
                band_continue(edge, step, ls->size[axis] - above, &(band_end){most, meets, distance});
            }
        }
}

static bool band_at_side(const levelset *ls, const band_block *b, int axis)
{
    return b->first[axis] < PATCH_MARGIN || b->first[axis] + ls->side[axis] + PATCH_MARGIN > ls->d.n[axis];
}

static void band_gather_inside(const levelset *ls, const field *phi, const band_block *b, float *patch)
{
    const int zs = ls->d.dims == 3 ? PATCH_MARGIN : 0;
    for (int k = 0; k < ls->size[2]; k++)
        for (int j = 0; j < ls->size[1]; j++) {
            const float *from = field_row(phi, b->first[1] + j - PATCH_MARGIN, b->first[2] + k - zs) + b->first[0];
            float *to = patch + j * ls->stride[1] + k * ls->stride[2];
            for (int i = 0; i < ls->size[0]; i++)
                to[i] = from[i - PATCH_MARGIN];
        }
}

static void band_gather_side(const levelset *ls, const field *phi, const band_block *b, bool distance, float *patch)
{
    const int zs = ls->d.dims == 3 ? PATCH_MARGIN : 0;
    memset(patch, 0, PATCH_MOST * sizeof *patch); /* corners are read before they are filled */
    for (int k = 0; k < ls->size[2]; k++)
        for (int j = 0; j < ls->size[1]; j++) {
            const int y = band_cell(&ls->d, 1, b->first[1] + j - PATCH_MARGIN),
                      z = band_cell(&ls->d, 2, b->first[2] + k - zs);
            float *to = patch + j * ls->stride[1] + k * ls->stride[2];
            for (int i = 0; i < ls->size[0] && y >= 0 && z >= 0; i++) {
                const int x = band_cell(&ls->d, 0, b->first[0] + i - PATCH_MARGIN);
                if (x >= 0)
                    to[i] = field_row(phi, y, z)[x];
            }
        }
    for (int a = 0; a < ls->d.dims; a++)
        if (!ls->d.periodic[a])
            band_extrapolate(ls, b, a, distance, patch);
}

void band_gather(const levelset *ls, const field *phi, const band_block *b, bool distance, float patch[PATCH_MOST])
{
    bool side = false;
    for (int a = 0; a < ls->d.dims; a++)
        side = side || band_at_side(ls, b, a);
    if (side)
        band_gather_side(ls, phi, b, distance, patch);
    else
        band_gather_inside(ls, phi, b, patch);
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

unsigned band_beside(const levelset *ls, const float *at)
{
    const wide_mask own = wide_load(at) < 0;
    wide_mask beside = {0};
    for (int a = 0; a < ls->d.dims; a++)
        beside |= (own ^ (wide_load(at + ls->stride[a]) < 0)) | (own ^ (wide_load(at - ls->stride[a]) < 0));
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

static band_span band_crossing(const levelset *ls, const band_block *b, const float *patch)
{
    band_span span = {{INT16_MAX, INT16_MAX, INT16_MAX}, {-1, -1, -1}};
    for (int k = 0; k < b->inside[2]; k++)
        for (int j = 0; j < b->inside[1]; j++)
            for (int i = 0; i < b->inside[0]; i += WIDE) {
                const float *at = patch + band_patch_row(ls, j, k) + i;
                const int left = b->inside[0] - i;
                const unsigned bits = band_beside(ls, at) & (left < WIDE ? (1u << left) - 1 : 0xffu);
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
    float patch[PATCH_MOST];
    for (int m = begin; m < end; m++) {
        const band_block b = band_block_of(job->ls, job->ls->list[m]);
        band_gather(job->ls, job->phi, &b, false, patch);
        job->ls->crossing[m] = band_crossing(job->ls, &b, patch);
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
                ls->mark[(ls->along[2][k] * ls->blocks[1] + ls->along[1][j]) * ls->blocks[0] + ls->along[0][i]] = 1;
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

fr_result levelset_find(levelset *ls, field *phi)
{
    ls->count = band_total(ls);
    for (int number = 0; number < ls->count; number++)
        ls->list[number] = number;
    fr_result result = band_update(ls, phi, ls->reach);
    levelset_fill_ghosts(ls, phi);
    return result;
}

/* The ghosts beyond one side. */
static void band_fill_side(const levelset *ls, int side, field *phi)
{
    const int axis = side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2, n = ls->d.n[axis];
    const int rim = c < ls->d.dims ? GHOST : 0;
    const ptrdiff_t out = side % 2 ? phi->stride[axis] : -phi->stride[axis];
    for (int k = -rim; k < phi->size[c] + rim; k++)
        for (int j = -GHOST; j < phi->size[b] + GHOST; j++) {
            float *edge =
                phi->data + (side % 2 ? (n - 1) * phi->stride[axis] : 0) + j * phi->stride[b] + k * phi->stride[c];
            const band_line along[2] = {{j, phi->size[b] - 1 - j, phi->stride[b]},
                                        {k, phi->size[c] - 1 - k, phi->stride[c]}};
            const bool meets = !ls->open[side] && band_meets(edge, n == 1 ? 0 : -out, along);
            for (int g = 1; g <= GHOST; g++)
                edge[g * out] = band_beyond(*edge, edge[g * out], meets, false);
        }
}

void levelset_fill_ghosts(const levelset *ls, field *phi)
{
    halo_fill_linear(phi, &ls->d);
    for (int side = 0; side < 2 * ls->d.dims; side++)
        if (!ls->d.periodic[side / 2])
            band_fill_side(ls, side, phi);
}

void levelset_open_sides(levelset *ls, const bool sides[6])
{
    for (int side = 0; side < 6; side++)
        ls->open[side] = sides[side];
}
