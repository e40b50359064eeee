#include "grid/extend.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "base/wide.h"

/* What the map calls the samples that a layer is extended from. */
static void extend_below(uint8_t layer, uint8_t is[2])
{
    is[0] = (uint8_t)(layer - 1);
    is[1] = layer == 1 ? EXTEND_PARTLY : is[0];
}

static bool extend_touches(const field *layout, const uint8_t *map, ptrdiff_t at, const uint8_t is[2])
{
    for (int a = 0; a < 3; a++) {
        uint8_t low = map[at - layout->stride[a]], high = map[at + layout->stride[a]];
        if (low == is[0] || low == is[1] || high == is[0] || high == is[1])
            return true;
    }
    return false;
}

void extend_number_row(const field *layout, uint8_t *map, uint8_t layer, const int row[2], const int span[2])
{
    uint8_t is[2];
    ptrdiff_t start = field_row(layout, row[0], row[1]) - layout->block;
    const uint8_t *end = map + start + span[1];
    extend_below(layer, is);
    for (uint8_t *at = map + start + span[0]; (at = memchr(at, EXTEND_FAR, (size_t)(end - at))); at++)
        if (extend_touches(layout, map, at - map, is))
            *at = layer;
}

/* The number of a layer is the Manhattan distance to what is known: layers pass from neighbour to neighbour, and a box
   is convex. Distances are found axis by axis, first along the rows and then from row to row. */
typedef struct extend_numbering {
    const field *layout;
    uint8_t *map;
    uint8_t depth;
    int axis, other;         /* from row to row along `axis`; an item of work is a number along `other` */
} extend_numbering;

/* Numbers a run of far samples from both of its ends, as far as there are known samples there. */
static void extend_number_run(uint8_t *run, int length, uint8_t depth, const bool known[2])
{
    for (int i = 0; i < length && i < depth; i++) {
        if (known[0] && run[i] > i + 1)
            run[i] = (uint8_t)(i + 1);
        if (known[1] && run[length - 1 - i] > i + 1)
            run[length - 1 - i] = (uint8_t)(i + 1);
    }
}

/* Where a run of far samples ends: most are long. */
static uint8_t *extend_run_end(uint8_t *at, const uint8_t *end)
{
    const uint64_t all_far = UINT64_MAX; /* eight times EXTEND_FAR */
    while (end - at >= (ptrdiff_t)sizeof all_far && !memcmp(at, &all_far, sizeof all_far))
        at += sizeof all_far;
    while (at < end && *at == EXTEND_FAR)
        at++;
    return at;
}

static void extend_number_along_rows(void *context, int begin, int end)
{
    const extend_numbering *job = context;
    const int n = job->layout->size[0];
    for (int r = begin; r < end; r++) {
        uint8_t *row = job->map + (field_row(job->layout, r % job->layout->size[1], r / job->layout->size[1]) -
                                   job->layout->block);
        for (uint8_t *far = row, *stop; far < row + n && (far = memchr(far, EXTEND_FAR, (size_t)(row + n - far)));
             far = stop) {
            stop = extend_run_end(far, row + n);
            extend_number_run(far, (int)(stop - far), job->depth, (bool[2]){far > row, stop < row + n});
        }
    }
}

/* Takes over what is nearer by way of the row beside. */
static void extend_number_from(const uint8_t *restrict beside, uint8_t *restrict row, int n, uint8_t depth)
{
    for (int i = 0; i < n; i++) {
        uint8_t there = beside[i] == EXTEND_PARTLY ? EXTEND_KNOWN : beside[i];
        uint8_t here = there < depth ? (uint8_t)(there + 1) : EXTEND_FAR;
        row[i] = row[i] == EXTEND_PARTLY || row[i] < here ? row[i] : here;
    }
}

static void extend_number_across_rows(void *context, int begin, int end)
{
    const extend_numbering *job = context;
    const field *layout = job->layout;
    const ptrdiff_t step = layout->stride[job->axis];
    const int rows = layout->size[job->axis];
    for (int m = begin; m < end; m++) {
        uint8_t *first = job->map + (layout->data - layout->block) + m * layout->stride[job->other];
        for (int r = 1; r < rows; r++)
            extend_number_from(first + (r - 1) * step, first + r * step, layout->size[0], job->depth);
        for (int r = rows - 2; r >= 0; r--)
            extend_number_from(first + (r + 1) * step, first + r * step, layout->size[0], job->depth);
    }
}

void extend_number(const field *layout, uint8_t *map, int depth)
{
    extend_numbering job = {.layout = layout, .map = map, .depth = (uint8_t)depth};
    field_for_rows(layout, extend_number_along_rows, &job);
    for (job.axis = 1; job.axis < 3; job.axis++) {
        job.other = 3 - job.axis;
        threads_for_cost(layout->size[job.other], (int64_t)layout->size[0] * layout->size[job.axis],
                         extend_number_across_rows, &job);
    }
}

float extend_mean(const field *f, const uint8_t *map, ptrdiff_t at, const uint8_t is[2], float none)
{
    float sum = 0;
    int count = 0;
    for (int a = 0; a < 3; a++) {
        ptrdiff_t step = f->stride[a];
        bool low = step && (map[at - step] == is[0] || map[at - step] == is[1]);
        bool high = step && (map[at + step] == is[0] || map[at + step] == is[1]);
        float from_low = low ? f->block[at - step] : 0, from_high = high ? f->block[at + step] : 0;
        sum += from_low + from_high;
        count += low + high;
    }
    return count ? sum / (float)count : none;
}

/* The slope with which a field leaves what is known: that of a linear field exactly, that of noise hardly (minmod). */
static float extend_slope(const field *f, const uint8_t *map, ptrdiff_t known, ptrdiff_t back)
{
    const float *u = f->block + known;
    if (!extend_is_known(map, known + back) || !extend_is_known(map, known + 2 * back))
        return 0;
    float near = u[0] - u[back], behind = u[back] - u[2 * back];
    return near * behind <= 0 ? 0 : fabsf(near) < fabsf(behind) ? near : behind;
}

static float extend_linear(const field *f, const uint8_t *map, ptrdiff_t at, float none)
{
    float sum = 0;
    int count = 0;
    for (int a = 0; a < 3; a++)
        for (ptrdiff_t step = -f->stride[a]; step <= f->stride[a] && step; step += 2 * f->stride[a])
            if (extend_is_known(map, at + step)) {
                sum += f->block[at + step] + extend_slope(f, map, at + step, step);
                count++;
            }
    return count ? sum / (float)count : none;
}

typedef struct extend_pass {
    const extend_job *job;
    field *f;
    uint8_t layer;
    int odd; /* rows with an even or an odd j + k */
} extend_pass;

static float extend_value(const extend_pass *pass, ptrdiff_t at)
{
    const extend_job *job = pass->job;
    float value;
    uint8_t is[2];
    if (job->given && job->given(job->context, at, &value))
        return value;
    if (pass->layer == EXTEND_FAR)
        return job->far;
    if (job->linear && pass->layer == 1)
        return extend_linear(pass->f, job->map, at, job->far);
    extend_below(pass->layer, is);
    return extend_mean(pass->f, job->map, at, is, job->far);
}

/* The samples of a row that are in the pass's layer, those from `at` up to `stop` in the map. */
static void extend_row(const extend_pass *pass, const uint8_t *at, const uint8_t *stop)
{
    const uint8_t *map = pass->job->map;
    while (at < stop && (at = memchr(at, pass->layer, (size_t)(stop - at))))
        for (; at < stop && *at == pass->layer; at++)
            pass->f->block[at - map] = extend_value(pass, at - map);
}

static void extend_rows(void *context, int begin, int end)
{
    const extend_pass *pass = context;
    for (int r = begin; r < end; r++) {
        const uint8_t *row = pass->job->map + (field_row(pass->f, r % pass->f->size[1], r / pass->f->size[1]) -
                                               pass->f->block);
        extend_row(pass, row, row + pass->f->size[0]);
    }
}

/* extend_mean of eight samples that lie beside one another, with the same bits; those not in the layer stay. */
static void extend_eight(const extend_pass *pass, ptrdiff_t at, const uint8_t is[2])
{
    const field *f = pass->f;
    const uint8_t *map = pass->job->map;
    wide sum = {0};
    wide_mask count = {0};
    for (int a = 0; a < 3 && f->stride[a]; a++) {
        const wide_mask is_low = wide_load_bytes(map + at - f->stride[a]),
                        is_high = wide_load_bytes(map + at + f->stride[a]);
        const wide_mask low = (is_low == is[0]) | (is_low == is[1]), high = (is_high == is[0]) | (is_high == is[1]);
        sum += wide_keep(low, wide_load(f->block + at - f->stride[a])) +
               wide_keep(high, wide_load(f->block + at + f->stride[a]));
        count -= low + high;
    }
    const wide mean = sum / __builtin_convertvector(count, wide), own = wide_load(f->block + at);
    const wide value = wide_choose(count == 0, wide_all(pass->job->far), mean);
    wide_store(f->block + at, wide_choose(wide_load_bytes(map + at) == pass->layer, value, own));
}

/* Every second row: nobody writes those beside it meanwhile, so that they can be read eight at a time. */
static void extend_mean_rows(void *context, int begin, int end)
{
    const extend_pass *pass = context;
    const uint8_t *map = pass->job->map;
    uint8_t is[2];
    extend_below(pass->layer, is);
    for (int r = begin; r < end; r++) {
        const int j = r % pass->f->size[1], k = r / pass->f->size[1];
        if ((j + k) % 2 != pass->odd)
            continue;
        const uint8_t *at = map + (field_row(pass->f, j, k) - pass->f->block), *stop = at + pass->f->size[0];
        for (; stop - at >= WIDE && (at = memchr(at, pass->layer, (size_t)(stop - at))) && stop - at >= WIDE;
             at += WIDE)
            extend_eight(pass, at - map, is);
        if (at)
            extend_row(pass, at, stop);
    }
}

/* What lies beyond the last layer where nothing is given: most of a box with little liquid in it, and most of that has
   the value already. */
static void extend_far_rows(void *context, int begin, int end)
{
    const extend_pass *pass = context;
    const wide far = wide_all(pass->job->far);
    const int n = pass->f->size[0];
    for (int r = begin; r < end; r++) {
        float *row = field_row(pass->f, r % pass->f->size[1], r / pass->f->size[1]);
        const uint8_t *map = pass->job->map + (row - pass->f->block);
        int i = 0;
        for (; i + WIDE <= n; i += WIDE) {
            const wide value = wide_load(row + i);
            const wide_mask beyond = wide_load_bytes(map + i) == EXTEND_FAR;
            if (wide_any(beyond & ((wide_mask)value != (wide_mask)far)))
                wide_store(row + i, wide_choose(beyond, far, value));
        }
        for (; i < n; i++) /* behind a row others may write */
            row[i] = map[i] == EXTEND_FAR ? pass->job->far : row[i];
    }
}

/* Whether a layer is made of means alone. */
static bool extend_is_mean(const extend_job *job, int layer)
{
    return !job->given && !(job->linear && layer == 1);
}

void extend_field(const extend_job *job, field *f)
{
    extend_pass pass = {.job = job, .f = f, .layer = 1};
    for (; pass.layer <= job->depth; pass.layer++)
        if (extend_is_mean(job, pass.layer))
            for (pass.odd = 0; pass.odd < 2; pass.odd++)
                field_for_rows(f, extend_mean_rows, &pass);
        else
            field_for_rows(f, extend_rows, &pass);
    pass.layer = EXTEND_FAR;
    if (job->given || !job->far_stays)
        field_for_rows(f, job->given ? extend_rows : extend_far_rows, &pass);
}
