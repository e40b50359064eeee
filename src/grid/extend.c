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
    extend_span *spans;      /* of each row: outside all is far; NULL: not known */
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

static const uint64_t extend_all_far = UINT64_MAX; /* eight times EXTEND_FAR */

/* Where a run of far samples ends: most are long. */
static uint8_t *extend_run_end(uint8_t *at, const uint8_t *end)
{
    while (end - at >= (ptrdiff_t)sizeof extend_all_far && !memcmp(at, &extend_all_far, sizeof extend_all_far))
        at += sizeof extend_all_far;
    while (at < end && *at == EXTEND_FAR)
        at++;
    return at;
}

/* The same from the other end: where the run before `end` begins. */
static uint8_t *extend_run_begin(const uint8_t *begin, uint8_t *end)
{
    while (end - begin >= (ptrdiff_t)sizeof extend_all_far &&
           !memcmp(end - sizeof extend_all_far, &extend_all_far, sizeof extend_all_far))
        end -= sizeof extend_all_far;
    while (end > begin && end[-1] == EXTEND_FAR)
        end--;
    return end;
}

/* Without what is far at its ends. */
static extend_span extend_without_far(uint8_t *row, extend_span span)
{
    uint8_t *begin = extend_run_end(row + span.begin, row + span.end), *end = extend_run_begin(begin, row + span.end);
    return (extend_span){(int32_t)(begin - row), (int32_t)(end - row)};
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
        if (job->spans)
            job->spans[r] = extend_without_far(row, (extend_span){0, n});
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

/* Compilers take as many bytes at once; what is left of a row takes longer one by one. */
enum { EXTEND_AT_ONCE = 32 };

/* From a row to the next; where the one is far nothing is nearer by way of it. `from` and `own`: their spans. */
static inline void extend_number_step(const extend_numbering *job, const uint8_t *beside, uint8_t *row,
                                      extend_span from, extend_span *own)
{
    const int n = job->layout->size[0];
    if (from.begin == from.end)
        return;
    const int begin = from.begin / EXTEND_AT_ONCE * EXTEND_AT_ONCE;
    const int whole = (from.end - begin + EXTEND_AT_ONCE - 1) / EXTEND_AT_ONCE * EXTEND_AT_ONCE;
    extend_number_from(beside + begin, row + begin, whole < n - begin ? whole : n - begin, job->depth);
    if (from.begin >= own->begin && from.end <= own->end)
        return;
    const bool empty = own->begin == own->end;
    *own = extend_without_far(row, (extend_span){empty || from.begin < own->begin ? from.begin : own->begin,
                                                 empty || from.end > own->end ? from.end : own->end});
}

static void extend_number_across_rows(void *context, int begin, int end)
{
    const extend_numbering *job = context;
    const field *layout = job->layout;
    const ptrdiff_t step = layout->stride[job->axis];
    const ptrdiff_t along[3] = {0, 1, layout->size[1]}; /* in the list of rows */
    const ptrdiff_t ahead = job->spans ? along[job->axis] : 0;
    const int rows = layout->size[job->axis];
    for (int m = begin; m < end; m++) {
        extend_span all = {0, layout->size[0]}, *span = job->spans ? job->spans + m * along[job->other] : &all;
        uint8_t *row = job->map + (layout->data - layout->block) + m * layout->stride[job->other];
        for (int r = 1; r < rows; r++, row += step, span += ahead)
            extend_number_step(job, row, row + step, *span, span + ahead);
        for (int r = 1; r < rows; r++, row -= step, span -= ahead)
            extend_number_step(job, row, row - step, *span, span - ahead);
    }
}

void extend_number(const field *layout, uint8_t *map, int depth, extend_span *spans)
{
    extend_numbering job = {.layout = layout, .map = map, .depth = (uint8_t)depth, .spans = spans};
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

/* A layer of one field. */
typedef struct extend_pass {
    const extend_job *job;
    field *f;
    int layer;
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
    extend_below((uint8_t)pass->layer, is);
    return extend_mean(pass->f, job->map, at, is, job->far);
}

/* The samples of a row that are in the layer, those from `at` up to `stop` in the map. */
static void extend_row(const extend_pass *pass, const uint8_t *at, const uint8_t *stop)
{
    const uint8_t *map = pass->job->map;
    while (at < stop && (at = memchr(at, pass->layer, (size_t)(stop - at))))
        for (; at < stop && *at == pass->layer; at++)
            pass->f->block[at - map] = extend_value(pass, at - map);
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

/* The same as extend_row where no other thread writes the rows beside it. */
static void extend_row_by_eights(const extend_pass *pass, const uint8_t *at, const uint8_t *stop)
{
    const uint8_t *map = pass->job->map;
    uint8_t is[2];
    if (pass->job->given || (pass->job->linear && pass->layer == 1)) {
        extend_row(pass, at, stop);
        return;
    }
    extend_below((uint8_t)pass->layer, is);
    for (; at < stop && (at = memchr(at, pass->layer, (size_t)(stop - at))) && stop - at >= WIDE; at += WIDE)
        extend_eight(pass, at - map, is);
    if (at && at < stop)
        extend_row(pass, at, stop);
}

static void extend_far_samples(float far, float *row, const uint8_t *map, int count)
{
    for (int i = 0; i < count; i++)
        if (map[i] == EXTEND_FAR)
            row[i] = far;
}

/* What lies beyond the last layer where nothing is given: most of a box with little liquid in it, and most of that has
   the value already. Unless a thread is alone here, it writes nothing else: others read what is known. */
static void extend_far_row(const extend_pass *pass, float *row, const uint8_t *map, bool alone)
{
    const wide far = wide_all(pass->job->far);
    const int n = pass->f->size[0];
    int i = 0;
    for (; i + WIDE <= n; i += WIDE) {
        const wide value = wide_load(row + i);
        const wide_mask beyond = wide_load_bytes(map + i) == EXTEND_FAR;
        if (!wide_any(beyond & ((wide_mask)value != (wide_mask)far)))
            continue;
        if (alone)
            wide_store(row + i, wide_choose(beyond, far, value));
        else
            extend_far_samples(pass->job->far, row + i, map + i, WIDE);
    }
    extend_far_samples(pass->job->far, row + i, map + i, n - i); /* behind a row others may write */
}

/* Planes of samples across the slowest axis. */
typedef struct extend_planes {
    int begin, end;
} extend_planes;

static int extend_slowest(const field *f) { return f->stride[2] ? 2 : 1; }

/* Where a row may have samples of the layer; up to eight more, which are taken at once. */
static extend_span extend_near_span(const extend_pass *pass, int row)
{
    const int n = pass->f->size[0];
    extend_span span = {0, n};
    if (pass->job->spans && pass->layer != EXTEND_FAR)
        span = pass->job->spans[row];
    if (span.begin < span.end)
        span.end = span.end + WIDE < n ? span.end + WIDE : n;
    return span;
}

/* One layer in some planes; others may be at work beyond those that are `own`. */
static void extend_layer(const extend_pass *pass, extend_planes planes, extend_planes own)
{
    const field *f = pass->f;
    const int axis = extend_slowest(f), rows = axis == 2 ? f->size[1] : 1;
    for (int plane = planes.begin; plane < planes.end; plane++)
        for (int j = 0; j < rows; j++) {
            float *row = axis == 2 ? field_row(f, j, plane) : field_row(f, plane, 0);
            const uint8_t *map = pass->job->map + (row - f->block);
            const bool alone = plane > own.begin && plane < own.end - 1;
            const extend_span span = extend_near_span(pass, axis == 2 ? j + plane * rows : plane);
            if (pass->layer == EXTEND_FAR && !pass->job->given)
                extend_far_row(pass, row, map, alone);
            else if (alone && pass->layer != EXTEND_FAR)
                extend_row_by_eights(pass, map + span.begin, map + span.end);
            else
                extend_row(pass, map + span.begin, map + span.end);
        }
}

/* Each layer needs the one below it in the planes beside. So that memory is read once for all layers, a field is cut
   into slabs of planes: first each finds what follows from its own planes, one plane less at each seam from layer to
   layer; then what is left at the seams follows.

     layer 3    . . 3 3 3 3 . . | . . 3 3 3 …
     layer 2    . 2 2 2 2 2 2 . | . 2 2 2 2 …
     layer 1    1 1 1 1 1 1 1 1 | 1 1 1 1 1 …                                                                     */
typedef struct extend_slabs {
    const extend_job *jobs;
    field *const *fields;
    int height, slabs; /* planes; of a field */
} extend_slabs;

static extend_planes extend_slab(const extend_slabs *s, const field *f, int slab)
{
    const int most = f->size[extend_slowest(f)], begin = slab * s->height, end = begin + s->height;
    return (extend_planes){begin < most ? begin : most, end < most ? end : most};
}

static void extend_slab_part(void *context, int begin, int end)
{
    const extend_slabs *s = context;
    for (int item = begin; item < end; item++) {
        field *f = s->fields[item / s->slabs];
        extend_pass pass = {&s->jobs[item / s->slabs], f, 1};
        const extend_planes all = extend_slab(s, f, item % s->slabs);
        const bool first = all.begin == 0, last = all.end == f->size[extend_slowest(f)];
        const extend_planes own = {all.begin - first, all.end + last};
        for (; pass.layer <= pass.job->depth; pass.layer++) {
            const int less = pass.layer - 1;
            extend_layer(&pass, (extend_planes){all.begin + (first ? 0 : less), all.end - (last ? 0 : less)}, own);
        }
        pass.layer = EXTEND_FAR;
        if (pass.job->given || !pass.job->far_stays)
            extend_layer(&pass, all, own);
    }
}

static void extend_seam_part(void *context, int begin, int end)
{
    const extend_slabs *s = context;
    for (int item = begin; item < end; item++) {
        field *f = s->fields[item / s->slabs];
        extend_pass pass = {&s->jobs[item / s->slabs], f, 2};
        const int seam = extend_slab(s, f, item % s->slabs).end, most = f->size[extend_slowest(f)];
        for (; pass.layer <= pass.job->depth && seam < most; pass.layer++) {
            const int to = seam + pass.layer - 1;
            extend_layer(&pass, (extend_planes){seam - pass.layer + 1, to < most ? to : most},
                         (extend_planes){-1, most + 1});
        }
    }
}

void extend_fields(const extend_job *jobs, field *const *fields, int count)
{
    enum { LEAST = 8 };
    extend_slabs s = {.jobs = jobs, .fields = fields, .height = LEAST};
    int most = 0, plane = 0;
    for (int n = 0; n < count; n++) {
        const field *f = fields[n];
        const int axis = extend_slowest(f), samples = f->size[0] * (axis == 2 ? f->size[1] : 1);
        s.height = 2 * jobs[n].depth > s.height ? 2 * jobs[n].depth : s.height; /* seams must not meet */
        most = f->size[axis] > most ? f->size[axis] : most;
        plane = samples > plane ? samples : plane;
    }
    s.slabs = (most + s.height - 1) / s.height;
    threads_for_cost(count * s.slabs, (int64_t)s.height * plane, extend_slab_part, &s);
    threads_for_cost(count * s.slabs, plane, extend_seam_part, &s);
}

void extend_field(const extend_job *job, field *f)
{
    extend_fields(job, &f, 1);
}
