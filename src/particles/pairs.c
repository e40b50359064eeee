#include "particles/pairs.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

void pairs_destroy(pairs *p)
{
    memory_free(p->begin);
    memory_free(p->number);
    memory_free(p->other);
    memory_free(p->record);
    p->begin = NULL;
    p->number = NULL;
    p->other = NULL;
    p->record = NULL;
    p->room = p->particle_room = 0;
}

fr_result pairs_reserve(pairs *p, int64_t particles, int64_t room)
{
    if (room > UINT32_MAX)
        return fr_fail(FR_ERROR_INPUT,
                       "%.3g pairs of neighbours are more than Freshet can number; take fewer particles", (double)room);
    if (particles > p->particle_room) {
        memory_free(p->begin);
        memory_free(p->number);
        p->begin = MEMORY_NEW(uint32_t, particles);
        p->number = MEMORY_NEW(int32_t, particles);
        p->particle_room = p->begin && p->number ? particles : 0;
    }
    if (room > p->room) {
        memory_free(p->other);
        memory_free(p->record);
        p->other = MEMORY_NEW(int32_t, room);
        p->record = MEMORY_NEW(pair_record, room);
        p->room = p->other && p->record ? room : 0;
    }
    return p->particle_room >= particles && p->room >= room ? FR_OK : FR_ERROR_MEMORY;
}

/* Candidates: copies of particles that may be neighbours of a cell's own particles. Particles too far from the bounding
   box of the cell's own are left out. */
enum { CANDIDATES = 1024, SLACK = WIDE };
typedef struct pairs_candidates {
    float x[CANDIDATES + SLACK], y[CANDIDATES + SLACK], z[CANDIDATES + SLACK], volume[CANDIDATES + SLACK];
    int32_t index[CANDIDATES + SLACK];
    int count;
} pairs_candidates;

/* A range in sorted order; `shift` moves periodic images. */
typedef struct pairs_range {
    int32_t begin, end;
    float shift[3];
} pairs_range;

enum { RANGES = 27 };   /* nine rows, each in up to three parts where it wraps around */

typedef struct pairs_box {
    float low[3], high[3];
} pairs_box;

/* Pairs are written into pages; a thread takes the next page from the lists when its own is full. */
enum { PAGE = 32768 };
typedef struct pairs_page {
    int64_t at, end;
    bool full;                /* the lists are too short; nothing more is written */
} pairs_page;

/* Neighbours of one particle, buffered until all candidates have been tested; then kernels are evaluated eight at a
   time. Evaluating them immediately would stall on store-to-load forwarding of the packed lanes. */
typedef struct pairs_waiting {
    float dx[CANDIDATES + SLACK], dy[CANDIDATES + SLACK], dz[CANDIDATES + SLACK], volume[CANDIDATES + SLACK];
    int32_t other[CANDIDATES + SLACK];
} pairs_waiting;

/* One particle and its partial sums. */
typedef struct pairs_one {
    int32_t index;
    int32_t filler; /* pads its list; loops read it and mask it out. It is the particle's own index, because another
                       thread may be writing the data of any other */
    float x, y, z;
    int64_t at;               /* where the next pair goes */
    wide density, gx, gy, gz, square;
} pairs_one;

typedef struct pairs_job {
    wide_orders orders;
    const pairs_search *search;
    pairs *pairs;
    bool same;                /* a set searched in itself */
    float own;                /* a particle's contribution to its own density */
} pairs_job;

static wide_mask pairs_load_index(const int32_t *from)
{
    wide_mask v;
    memcpy(&v, from, sizeof v);
    return v;
}

static void pairs_store_index(int32_t *to, wide_mask v) { memcpy(to, &v, sizeof v); }

static wide pairs_outside(wide x, float low, float high)
{
    return wide_max(wide_max(low - x, x - high), (wide){0});
}

/* Appends the particles from `*at` on that are near enough to the box, until the range ends or the buffer is full. */
static void pairs_collect(const pairs_set *set, const pairs_range *range, int32_t *at, const pairs_box *box,
                          float reach, const wide_orders *orders, pairs_candidates *c)
{
    const wide_mask lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    for (; *at < range->end && c->count + WIDE <= CANDIDATES; *at += WIDE) {
        wide x = wide_load(set->x + *at) + range->shift[0], y = wide_load(set->y + *at) + range->shift[1],
             z = wide_load(set->z + *at) + range->shift[2];
        wide ox = pairs_outside(x, box->low[0], box->high[0]), oy = pairs_outside(y, box->low[1], box->high[1]),
             oz = pairs_outside(z, box->low[2], box->high[2]);
        wide_mask index = lanes + *at;
        unsigned near = wide_bits((ox * ox + oy * oy + oz * oz < reach * reach) & (index < range->end));
        wide_mask order = wide_pack_order(orders, near);
        wide_store(c->x + c->count, wide_pack(x, order));
        wide_store(c->y + c->count, wide_pack(y, order));
        wide_store(c->z + c->count, wide_pack(z, order));
        if (set->volume)
            wide_store(c->volume + c->count, wide_pack(wide_load(set->volume + *at), order));
        pairs_store_index(c->index + c->count, (wide_mask)wide_pack((wide)index, order));
        c->count += __builtin_popcount(near);
    }
}

/* Constants of a search. A local copy stays in registers, because no store can alias it. */
typedef struct pairs_constants {
    kernel kernel; /* W is scaled by the neighbours' volume, the gradient also by the spacing; neighbours with
                      individual volumes are scaled later */
    float support2, per_support;
    pair_record *record;
    int32_t *other;
} pairs_constants;

static pairs_constants pairs_constants_of(const pairs_job *job)
{
    const pairs_search *search = job->search;
    pairs_constants by = {search->kernel, .record = job->pairs->record, .other = job->pairs->other};
    double support = search->kernel.support, volume = search->near.volume ? 1 : search->volume;
    by.support2 = (float)(support * support);
    by.per_support = (float)(1 / support);
    by.kernel.scale = (float)(by.kernel.scale * volume);
    by.kernel.slope_scale = (float)(by.kernel.slope_scale * volume * search->spacing);
    return by;
}

/* Processes up to eight buffered neighbours from index `from` on: adds their kernels to the sums and their records to
   the list. */
static inline __attribute__((always_inline)) void pairs_take(fr_kernel kind, bool weighted, const pairs_constants *by,
                                                             const pairs_waiting *waiting, int from, int number,
                                                             pairs_one *one)
{
    const wide_mask lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    int count = number - from < WIDE ? number - from : WIDE;
    wide_mask there = lanes < count;
    wide dx = wide_keep(there, wide_load(waiting->dx + from)), dy = wide_keep(there, wide_load(waiting->dy + from)),
         dz = wide_keep(there, wide_load(waiting->dz + from));
    wide r = wide_sqrt(dx * dx + dy * dy + dz * dz), value, slope;
    kernel_lanes(kind, &by->kernel, r, &value, &slope);
    if (weighted) {
        wide volume = wide_load(waiting->volume + from);
        value *= volume;
        slope = wide_keep(there, slope * volume);
    }
    one->density += wide_keep(there, value);
    half_eight hx = half_of_wide(slope * dx), hy = half_of_wide(slope * dy), hz = half_of_wide(slope * dz),
               hr = half_of_wide(r * by->per_support);
    wide gx = wide_of_half(hx), gy = wide_of_half(hy), gz = wide_of_half(hz);
    one->gx += gx;
    one->gy += gy;
    one->gz += gz;
    one->square += gx * gx + gy * gy + gz * gz;
    half_eight xy_low = __builtin_shufflevector(hx, hy, 0, 8, 1, 9, 2, 10, 3, 11),
               xy_high = __builtin_shufflevector(hx, hy, 4, 12, 5, 13, 6, 14, 7, 15);
    half_eight zr_low = __builtin_shufflevector(hz, hr, 0, 8, 1, 9, 2, 10, 3, 11),
               zr_high = __builtin_shufflevector(hz, hr, 4, 12, 5, 13, 6, 14, 7, 15);
    half_eight_anywhere *record = (half_eight_anywhere *)(by->record + one->at);
    record[0] = __builtin_shufflevector(xy_low, zr_low, 0, 1, 8, 9, 2, 3, 10, 11);
    record[1] = __builtin_shufflevector(xy_low, zr_low, 4, 5, 12, 13, 6, 7, 14, 15);
    record[2] = __builtin_shufflevector(xy_high, zr_high, 0, 1, 8, 9, 2, 3, 10, 11);
    record[3] = __builtin_shufflevector(xy_high, zr_high, 4, 5, 12, 13, 6, 7, 14, 15);
    pairs_store_index(by->other + one->at, (pairs_load_index(waiting->other + from) & there) | (~there & one->filler));
    one->at += count;
}

/* Packs the candidates that are neighbours and returns their number. It has no branch on "none of eight is a
   neighbour", which would be mispredicted often. */
static inline __attribute__((always_inline)) int pairs_test(bool weighted, float support2, const wide_orders *orders,
                                                            const pairs_candidates *c, int32_t self,
                                                            const pairs_one *one, pairs_waiting *waiting)
{
    const float x = one->x, y = one->y, z = one->z;
    int number = 0;
    for (int n = 0; n < c->count; n += WIDE) {
        wide dx = x - wide_load(c->x + n), dy = y - wide_load(c->y + n), dz = z - wide_load(c->z + n);
        wide_mask index = pairs_load_index(c->index + n);
        unsigned near = wide_bits((dx * dx + dy * dy + dz * dz < support2) & (index != self));
        wide_mask order = wide_pack_order(orders, near);
        wide_store(waiting->dx + number, wide_pack(dx, order));
        wide_store(waiting->dy + number, wide_pack(dy, order));
        wide_store(waiting->dz + number, wide_pack(dz, order));
        if (weighted)
            wide_store(waiting->volume + number, wide_pack(wide_load(c->volume + n), order));
        pairs_store_index(waiting->other + number, (wide_mask)wide_pack((wide)index, order));
        number += __builtin_popcount(near);
    }
    return number;
}

/* Adds the candidates that are neighbours to sums and list. */
static inline __attribute__((always_inline)) void pairs_add(fr_kernel kind, bool weighted, const pairs_job *job,
                                                            const pairs_constants *by, const pairs_candidates *c,
                                                            pairs_waiting *waiting, pairs_one *one)
{
    int number = pairs_test(weighted, by->support2, &job->orders, c, job->same ? one->index : -1, one, waiting);
    for (int from = 0; from < number; from += WIDE)
        pairs_take(kind, weighted, by, waiting, from, number, one);
}

/* Makes sure that the page, or a new one, has room for `most` pairs and the padding of the last eight. */
static bool pairs_page_has(pairs *p, pairs_page *page, int64_t most)
{
    int64_t wanted = most + 2 * WIDE;
    if (page->end - page->at >= wanted)
        return true;
    int64_t size = wanted > PAGE ? wanted : PAGE;
    page->at = atomic_fetch_add(&p->used, size);
    page->end = page->at + size;
    page->full = page->full || page->end > p->room;
    return !page->full;
}

static pairs_one pairs_start(const pairs_job *job, int32_t index, int64_t at)
{
    const pairs_set *of = &job->search->of;
    return (pairs_one){.index = index,
                       .filler = job->same ? index : 0,
                       .x = of->x[index],
                       .y = of->y[index],
                       .z = of->z[index],
                       .at = at};
}

static inline void pairs_finish(const pairs_job *job, const pairs_one *one, pairs_page *page)
{
    const pairs_sums *sums = &job->search->sums;
    pairs *p = job->pairs;
    int32_t n = one->index;
    int32_t number = (int32_t)(one->at - page->at);
    if (number % 2) {
        p->other[one->at] = one->filler;
        memset(p->record[one->at], 0, sizeof(pair_record));
        number++;
    }
    p->begin[n] = (uint32_t)page->at;
    p->number[n] = number;
    page->at += number;
    if (!sums->density)
        return;
    sums->density[n] = job->own + wide_sum(one->density);
    wide_sums((const wide[4]){one->gx, one->gy, one->gz, one->square}, sums->gradient[n]);
}

/* The position of the search for candidates. */
typedef struct pairs_sweep {
    const pairs_range *ranges;
    int count, range;
    int32_t at;
    pairs_box box;
} pairs_sweep;

/* Pads the last group of eight with candidates at infinity. */
static void pairs_fill_up(const pairs_set *set, pairs_candidates *c)
{
    const wide far = wide_all(INFINITY);
    wide_store(c->x + c->count, far);
    wide_store(c->y + c->count, far);
    wide_store(c->z + c->count, far);
    if (set->volume)
        wide_store(c->volume + c->count, (wide){0});
    pairs_store_index(c->index + c->count, (wide_mask){0});
}

/* Fills the buffer with the next candidates. Returns whether there are more. */
static bool pairs_gather(const pairs_job *job, pairs_sweep *sweep, pairs_candidates *c)
{
    const pairs_set *set = &job->search->near;
    const float reach = (float)job->search->kernel.support * (1 + 1e-6f);
    c->count = 0;
    while (sweep->range < sweep->count) {
        const pairs_range *range = &sweep->ranges[sweep->range];
        pairs_collect(set, range, &sweep->at, &sweep->box, reach, &job->orders, c);
        if (sweep->at < range->end)
            break;
        sweep->range++;
        sweep->at = sweep->range < sweep->count ? range[1].begin : 0;
    }
    pairs_fill_up(set, c);
    return sweep->range < sweep->count;
}

static int64_t pairs_most(const pairs_sweep *sweep)
{
    int64_t most = 0;
    for (int r = 0; r < sweep->count; r++)
        most += sweep->ranges[r].end - sweep->ranges[r].begin;
    return most;
}

/* The neighbours of the particles [begin, end) of one cell. Usually all candidates fit into one buffer; where particles
   are crowded it is filled several times. */
static inline __attribute__((always_inline)) void pairs_of_cell(fr_kernel kind, bool weighted, const pairs_job *job,
                                                                const pairs_constants *by, const pairs_sweep *whole,
                                                                int32_t begin, int32_t end, pairs_page *page)
{
    pairs_candidates candidates;
    pairs_waiting waiting;
    pairs_sweep sweep = *whole;
    bool more = pairs_gather(job, &sweep, &candidates);
    const bool one_go = !more;
    const int64_t most = one_go ? candidates.count : pairs_most(whole);
    for (int32_t n = begin; n < end && pairs_page_has(job->pairs, page, most); n++) {
        if (!one_go && n > begin) {
            sweep = *whole;
            more = pairs_gather(job, &sweep, &candidates);
        }
        pairs_one one = pairs_start(job, n, page->at);
        pairs_add(kind, weighted, job, by, &candidates, &waiting, &one);
        while (more) {
            more = pairs_gather(job, &sweep, &candidates);
            pairs_add(kind, weighted, job, by, &candidates, &waiting, &one);
        }
        pairs_finish(job, &one, page);
    }
}

/* The cells around a cell along one axis, and the shifts of those across a periodic boundary. */
typedef struct pairs_span {
    int count, cell[3];
    float shift[3];
} pairs_span;

static pairs_span pairs_span_of(const cells_layout *c, int axis, int at)
{
    pairs_span span = {0};
    for (int step = -1; step <= 1; step++) {
        int cell = at + step;
        float shift = 0;
        if (c->periodic[axis] && (cell < 0 || cell >= c->n[axis])) {
            shift = cell < 0 ? -c->length[axis] : c->length[axis];
            cell += cell < 0 ? c->n[axis] : -c->n[axis];
        }
        if (cell < 0 || cell >= c->n[axis])
            continue;
        span.cell[span.count] = cell;
        span.shift[span.count++] = shift;
    }
    return span;
}

/* The rows around an inner cell: nine, each of three consecutive cells. */
static int pairs_ranges_inside(const cells *c, int64_t cell, pairs_range *ranges)
{
    const cells_layout *l = c->layout;
    int64_t row = l->n[l->axis[0]], layer = row * l->n[l->axis[1]];
    int count = 0;
    for (int64_t k = -layer; k <= layer; k += layer)
        for (int64_t j = -row; j <= row; j += row) {
            const int32_t *start = c->start + cell + k + j;
            if (start[-1] < start[2])
                ranges[count++] = (pairs_range){.begin = start[-1], .end = start[2]};
        }
    return count;
}

/* The same for any cell; consecutive cells are merged into one range. */
static int pairs_ranges(const cells *c, const int at[3], pairs_range *ranges)
{
    const cells_layout *l = c->layout;
    pairs_span span[3];
    for (int a = 0; a < 3; a++)
        span[a] = pairs_span_of(l, a, at[a]);
    const pairs_span *fast = &span[l->axis[0]], *middle = &span[l->axis[1]], *slow = &span[l->axis[2]];
    int count = 0;
    for (int k = 0; k < slow->count; k++)
        for (int j = 0; j < middle->count; j++) {
            int row = count;   /* the first range of this row */
            for (int i = 0; i < fast->count; i++) {
                int64_t cell = fast->cell[i] + (int64_t)l->n[l->axis[0]] *
                                                   (middle->cell[j] + (int64_t)l->n[l->axis[1]] * slow->cell[k]);
                pairs_range range = {.begin = c->start[cell], .end = c->start[cell + 1]};
                range.shift[l->axis[0]] = fast->shift[i];
                range.shift[l->axis[1]] = middle->shift[j];
                range.shift[l->axis[2]] = slow->shift[k];
                bool follows =
                    count > row && ranges[count - 1].end == range.begin && fast->shift[i] == fast->shift[i - 1];
                if (follows)
                    ranges[count - 1].end = range.end;
                else if (range.begin < range.end)
                    ranges[count++] = range;
            }
        }
    return count;
}

static void pairs_bound(const float *x, int32_t begin, int32_t end, float *low, float *high)
{
    const wide_mask lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    wide least = wide_all(x[begin]), greatest = least;
    for (int32_t n = begin; n < end; n += WIDE) {
        wide v = wide_choose(lanes < end - n, wide_load(x + n), wide_all(x[begin]));
        least = wide_min(least, v);
        greatest = wide_max(greatest, v);
    }
    *low = wide_least(least);
    *high = wide_greatest(greatest);
}

static pairs_box pairs_box_of(const pairs_set *set, int32_t begin, int32_t end)
{
    pairs_box box;
    const float *const axes[3] = {set->x, set->y, set->z};
    for (int a = 0; a < 3; a++)
        pairs_bound(axes[a], begin, end, &box.low[a], &box.high[a]);
    return box;
}

/* The coordinates of a cell. Returns whether it is an outermost cell. */
static bool pairs_cell_at(const cells_layout *l, int32_t cell, int at[3])
{
    at[l->axis[0]] = cell % l->n[l->axis[0]];
    cell /= l->n[l->axis[0]];
    at[l->axis[1]] = cell % l->n[l->axis[1]];
    at[l->axis[2]] = cell / l->n[l->axis[1]];
    bool rim = false;
    for (int a = 0; a < 3; a++)
        rim = rim || at[a] == 0 || at[a] == l->n[a] - 1;
    return rim;
}

static void pairs_none(const pairs_job *job, int32_t begin, int32_t end)
{
    for (int32_t n = begin; n < end; n++) {
        job->pairs->begin[n] = 0;
        job->pairs->number[n] = 0;
        if (!job->search->sums.density)
            continue;
        job->search->sums.density[n] = job->own;
        memset(job->search->sums.gradient[n], 0, sizeof(particle_vector));
    }
}

enum { BLOCK = 256 };   /* particles per work item */

static inline __attribute__((always_inline)) void pairs_blocks(fr_kernel kind, bool weighted, void *context, int begin,
                                                               int end)
{
    const pairs_job *job = context;
    const pairs_set *of = &job->search->of;
    const pairs_constants by = pairs_constants_of(job);
    pairs_page page = {0};
    int64_t last = (int64_t)end * BLOCK < of->count ? (int64_t)end * BLOCK : of->count;
    for (int32_t n = begin * BLOCK; n < last && !page.full;) {
        int32_t cell = of->cells->of[n];
        int32_t next = of->cells->start[cell + 1] < last ? of->cells->start[cell + 1] : (int32_t)last;
        int at[3];
        pairs_range ranges[RANGES];
        bool rim = pairs_cell_at(of->cells->layout, cell, at);
        const cells *near = job->search->near.cells;
        int count = rim ? pairs_ranges(near, at, ranges) : pairs_ranges_inside(near, cell, ranges);
        if (count) {
            pairs_sweep sweep = {
                .ranges = ranges, .count = count, .at = ranges[0].begin, .box = pairs_box_of(of, n, next)};
            pairs_of_cell(kind, weighted, job, &by, &sweep, n, next, &page);
        } else {
            pairs_none(job, n, next);
        }
        n = next;
    }
}

/* One function per kernel, so that the kernel is a constant in the inner loops. */
#define PAIRS_WORK(KIND, name)                                              \
    static void pairs_##name(void *context, int begin, int end)             \
    {                                                                       \
        pairs_blocks(FR_KERNEL_##KIND, false, context, begin, end);         \
    }                                                                       \
    static void pairs_weighted_##name(void *context, int begin, int end)    \
    {                                                                       \
        pairs_blocks(FR_KERNEL_##KIND, true, context, begin, end);          \
    }
KERNEL_LIST(PAIRS_WORK)

#define PAIRS_ROW(KIND, name) [FR_KERNEL_##KIND] = {pairs_##name, pairs_weighted_##name},
static const threads_work pairs_work[FR_KERNELS][2] = {KERNEL_LIST(PAIRS_ROW)};

fr_result pairs_find(const pairs_search *search, pairs *p)
{
    const kernel *k = &search->kernel;
    bool same = search->of.x == search->near.x;
    pairs_job job = {
        .search = search, .pairs = p, .same = same, .own = same ? (float)(search->volume * kernel_value(k, 0)) : 0};
    wide_orders_fill(&job.orders);
    threads_work work = pairs_work[k->kind][search->near.volume != NULL];
    int blocks = (int)((search->of.count + BLOCK - 1) / BLOCK);
    FR_TRY(pairs_reserve(p, search->of.count, 0));
    for (;;) {
        atomic_store(&p->used, 0);
        threads_for(blocks, work, &job);
        int64_t used = atomic_load(&p->used);
        if (used <= p->room)
            return FR_OK;
        FR_TRY(pairs_reserve(p, search->of.count, used + used / 16));
    }
}
