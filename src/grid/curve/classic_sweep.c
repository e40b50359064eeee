#include "grid/curve/classic_sweep.h"

#include <assert.h>
#include <string.h>

#include "base/threads.h"
#include "base/wide.h"

/* Inlined so that the compiler specialises the sweep: 2D or 3D, number of fields, damped or not. */
#define SWEEP_INLINE static inline __attribute__((always_inline))

/* A row of all fields that are swept together. */
typedef struct sweep_row {
    const float *from[3], *right[3];
    float *to[3];
    const float *damp, *stencil;
    ptrdiff_t row, layer;                /* strides of the fields */
    int n;
    bool even;                           /* ghosts at the ends copy the cells next to them */
} sweep_row;

/* Eight results at an end of a row. The lanes beyond the end copy the last cell inside, in the same store, so that the
   next sweep can load both at once; or, if not `even`, they keep their old values. */
SWEEP_INLINE wide sweep_end(const sweep_row *r, int f, int i, wide v)
{
    const wide_mask lane = {0, 1, 2, 3, 4, 5, 6, 7}, before = lane < -i, after = lane >= r->n - i;
    if (r->even)
        return wide_pack(v, lane + (before & (-i - lane)) + (after & (r->n - 1 - i - lane)));
    return wide_choose(before | after, wide_load(r->to[f] + i), v);
}

/* Writes eight results. */
SWEEP_INLINE void sweep_finish(const sweep_row *r, int f, int i, wide sum, bool damped)
{
    wide v = (damped ? sum * wide_load(r->damp + i) : sum) + wide_load(r->right[f] + i);
    wide_store(r->to[f] + i, i < 0 || i + WIDE > r->n ? sweep_end(r, f, i, v) : v);
}

/* The contribution of the two neighbours along an axis, as differences from `low`: the neighbour whose coefficient is 1
   minus all others. */
SWEEP_INLINE wide sweep_axis(const float *x, ptrdiff_t step, wide low, const float *k)
{
    return (wide_load(x + step) - low) * wide_load(k) + (wide_load(x - step) - low) * wide_load(k + WIDE);
}

SWEEP_INLINE wide sweep_cross(const float *x, ptrdiff_t a, ptrdiff_t b, const float *k)
{
    return ((wide_load(x + a + b) - wide_load(x + a - b)) - (wide_load(x - a + b) - wide_load(x - a - b))) *
           wide_load(k);
}

SWEEP_INLINE void sweep_deep_row(const sweep_row *r, int count, bool damped)
{
    const float *k = r->stencil;
    for (int i = -GHOST; i < r->n; i += WIDE, k += WIDE * 8)
        for (int f = 0; f < count; f++) {
            const float *x = r->from[f] + i;
            wide low = wide_load(x - r->layer),
                 sum = sweep_axis(x, 1, low, k) + sweep_axis(x, r->row, low, k + WIDE * 2);
            sum += (wide_load(x + r->layer) - low) * wide_load(k + WIDE * 4) +
                   sweep_cross(x, r->row, r->layer, k + WIDE * 5);
            sum += sweep_cross(x, r->layer, 1, k + WIDE * 6) + sweep_cross(x, 1, r->row, k + WIDE * 7);
            sweep_finish(r, f, i, low + sum, damped);
        }
}

/* For eight cells of a row: the values in the row below, the difference (row above − row below), and that difference
   half a vector earlier. */
typedef struct sweep_window {
    wide low, rise, before;
} sweep_window;

SWEEP_INLINE wide sweep_between(wide left, wide right)
{
    return __builtin_shufflevector(left, right, 4, 5, 6, 7, 8, 9, 10, 11);
}

/* The first eight cells of a row: no cell inside the row needs values before them. */
SWEEP_INLINE sweep_window sweep_first_window(const float *x, ptrdiff_t row)
{
    wide low = wide_load(x - row), rise = wide_load(x + row) - low;
    return (sweep_window){low, rise, sweep_between(rise, rise)};
}

/* In 2D the loads limit the speed: the corner neighbours are shuffled from registers, not loaded. Advances to the next
   eight cells. */
SWEEP_INLINE wide sweep_neighbours(sweep_window *s, const float *x, ptrdiff_t row, const float *k)
{
    wide low = wide_load(x - row + WIDE), rise = wide_load(x + row + WIDE) - low, after = sweep_between(s->rise, rise);
    wide east = __builtin_shufflevector(s->rise, after, 1, 2, 3, 8, 5, 6, 7, 12),
         west = __builtin_shufflevector(s->before, s->rise, 3, 8, 9, 10, 7, 12, 13, 14);
    wide sum = sweep_axis(x, 1, s->low, k) + (s->rise * wide_load(k + WIDE * 2) + s->low);
    sum += (east - west) * wide_load(k + WIDE * 3);
    *s = (sweep_window){low, rise, after};
    return sum;
}

SWEEP_INLINE void sweep_group(const sweep_row *r, sweep_window s[2], int i, int count, bool damped)
{
    wide sum[2];
    for (int f = 0; f < count; f++)
        sum[f] = sweep_neighbours(&s[f], r->from[f] + i, r->row, r->stencil + 4 * (i + GHOST));
    for (int f = 0; f < count; f++)
        sweep_finish(r, f, i, sum[f], damped);
}

SWEEP_INLINE void sweep_flat_row(const sweep_row *r, int count, bool damped)
{
    sweep_window s[2];
    for (int f = 0; f < count; f++)
        s[f] = sweep_first_window(r->from[f] - GHOST, r->row);
    int i = -GHOST;
    sweep_group(r, s, i, count, damped);
    for (i += WIDE; i + WIDE <= r->n; i += WIDE)
        sweep_group(r, s, i, count, damped);
    if (i < r->n)
        sweep_group(r, s, i, count, damped);
}

/* Whether the ghosts at the ends of rows are copies of the last cells, so that the sweep itself can write them. */
static bool sweep_ends_even(const classic_sweep *sweep) { return !sweep->finish && !sweep->metric->domain.periodic[0]; }

SWEEP_INLINE void sweep_slab_rows(const classic_sweep *sweep, const field *from, const field *to, int slab, bool deep,
                                  int count, bool damped)
{
    const domain *d = &sweep->metric->domain;
    for (int j = 0; j < (deep ? d->n[1] : 1); j++) {
        int row = deep ? j : slab, layer = deep ? slab : 0;
        const ptrdiff_t at = field_offset(from, 0, row, layer);
        sweep_row r = {.stencil = classic_metric_row(sweep->metric, row, layer),
                       .row = from->stride[1],
                       .layer = from->stride[2],
                       .n = d->n[0],
                       .even = sweep_ends_even(sweep)};
        for (int f = 0; f < count; f++) {
            r.from[f] = from[f].data + at;
            r.right[f] = sweep->right[f]->data + at;
            r.to[f] = to[f].data + at;
        }
        r.damp = damped ? sweep->damp->data + at : NULL;
        if (deep)
            sweep_deep_row(&r, count, damped);
        else
            sweep_flat_row(&r, count, damped);
        if (r.even && (r.n + GHOST) % WIDE == 0)   /* the last vector ends with the row, before its ghost */
            r.to[0][r.n] = r.to[0][r.n - 1];
    }
}

/* Computes a slab of the new iterate from the old one. */
typedef void (*sweep_kernel)(const classic_sweep *sweep, const field *from, const field *to, int slab);
static void sweep_flat(const classic_sweep *w, const field *from, const field *to, int slab)
{
    sweep_slab_rows(w, from, to, slab, false, 1, false);
}
static void sweep_flat_damped(const classic_sweep *w, const field *from, const field *to, int slab)
{
    sweep_slab_rows(w, from, to, slab, false, 1, true);
}
static void sweep_flat_vector(const classic_sweep *w, const field *from, const field *to, int slab)
{
    sweep_slab_rows(w, from, to, slab, false, 2, true);
}
static void sweep_deep(const classic_sweep *w, const field *from, const field *to, int slab)
{
    sweep_slab_rows(w, from, to, slab, true, 1, false);
}
static void sweep_deep_damped(const classic_sweep *w, const field *from, const field *to, int slab)
{
    sweep_slab_rows(w, from, to, slab, true, 1, true);
}
static void sweep_deep_vector(const classic_sweep *w, const field *from, const field *to, int slab)
{
    sweep_slab_rows(w, from, to, slab, true, 3, true);
}

/* The ghost indices at which row or layer `at` of `n` appears, besides its own index. */
static int sweep_images(int at, int n, bool periodic, int images[3])
{
    int count = 0;
    images[count++] = at;
    if (at == (periodic ? n - 1 : 0))
        images[count++] = -1;
    if (at == (periodic ? 0 : n - 1))
        images[count++] = n;
    return count;
}

/* The first ghosts at the ends of a row. */
static void sweep_row_ends(const domain *d, const field *f, int j, int k)
{
    float *row = field_row(f, j, k);
    int n = d->n[0];
    row[-1] = row[d->periodic[0] ? n - 1 : 0];
    row[n] = row[d->periodic[0] ? 0 : n - 1];
}

/* Rows of ghosts that are copies of a row, including its ends. */
static void sweep_row_images(const domain *d, const field *f, int j, int k)
{
    const float *row = field_row(f, j, k);
    int rows[3], layers[3];
    int row_count = sweep_images(j, d->n[1], d->periodic[1], rows);
    int layer_count = d->dims == 3 ? sweep_images(k, d->n[2], d->periodic[2], layers) : 1;
    for (int c = 0; c < layer_count; c++)
        for (int b = 0; b < row_count; b++)
            if (b + c > 0)
                memcpy(field_row(f, rows[b], c > 0 ? layers[c] : k) - 1, row - 1, (size_t)(d->n[0] + 2) * sizeof *row);
}

static int sweep_slabs(const domain *d) { return d->n[d->dims - 1]; }

static bool sweep_outermost(int at, int n) { return at == 0 || at == n - 1; }

/* The first ghosts that depend on a slab, with zero gradient across sides that are not periodic; `ends`: the ends of
   the rows are filled already. */
static void sweep_even_slab(const domain *d, const field *f, int slab, bool ends)
{
    for (int j = 0; j < (d->dims == 3 ? d->n[1] : 1); j++) {
        int row = d->dims == 3 ? j : slab, layer = d->dims == 3 ? slab : 0;
        if (!ends)
            sweep_row_ends(d, f, row, layer);
        if (sweep_outermost(row, d->n[1]) || (d->dims == 3 && sweep_outermost(layer, d->n[2])))
            sweep_row_images(d, f, row, layer);
    }
}

void classic_even_ghosts(const domain *d, field *f)
{
    for (int slab = 0; slab < sweep_slabs(d); slab++)
        sweep_even_slab(d, f, slab, false);
}

/* Temporal blocking: several sweeps in one pass through memory. A slab is swept again as soon as the next slab has been
   swept once, while the first-level cache still holds the coefficients. Two buffers suffice: a result overwrites that
   of two sweeps before, which is no longer needed. Each thread has a band of slabs. Slabs that depend on a neighbouring
   band, one more at each sweep, are left out and done after all bands. Every value is the same as with separate
   sweeps. */
enum { MOST_SWEEPS = 2, CACHE_BYTES = 3 << 17, LAST_CACHE_BYTES = 12 << 20 };

typedef struct sweep_job {
    const classic_sweep *sweep;
    field *buffer[2];
    sweep_kernel kernel;
    int sweeps;                  /* in this pass */
    int slabs, bands;
} sweep_job;

static sweep_kernel sweep_choose(const classic_sweep *sweep)
{
    bool deep = sweep->metric->domain.dims == 3;
    if (sweep->count > 1)
        return deep ? sweep_deep_vector : sweep_flat_vector;
    if (sweep->damp)
        return deep ? sweep_deep_damped : sweep_flat_damped;
    return deep ? sweep_deep : sweep_flat;
}

/* Sweep number q (from 0) of a slab; the slab index wraps round on a periodic axis. */
static void sweep_slab(const sweep_job *job, int q, int slab)
{
    field *from = job->buffer[q % 2], *to = job->buffer[(q + 1) % 2];
    slab = slab < 0 ? slab + job->slabs : slab < job->slabs ? slab : slab - job->slabs;
    job->kernel(job->sweep, from, to, slab);
    if (job->sweep->finish)
        job->sweep->finish(job->sweep->context, to, slab);
    else
        sweep_even_slab(&job->sweep->metric->domain, to, slab, sweep_ends_even(job->sweep));
}

static int sweep_band_begin(const sweep_job *job, int band) { return (int)((int64_t)job->slabs * band / job->bands); }

static bool sweep_joined(const sweep_job *job, int band)
{
    const domain *d = &job->sweep->metric->domain;
    return (band > 0 && band < job->bands) || d->periodic[d->dims - 1];
}

static void sweep_bands(void *context, int begin, int end)
{
    const sweep_job *job = context;
    for (int band = begin; band < end; band++) {
        int low = sweep_band_begin(job, band), high = sweep_band_begin(job, band + 1);
        int shrink_low = sweep_joined(job, band), shrink_high = sweep_joined(job, band + 1);
        for (int front = low; front < high + job->sweeps; front++)
            for (int q = 0; q < job->sweeps; q++) {
                int slab = front - q;
                if (slab >= low + q * shrink_low && slab < high - q * shrink_high)
                    sweep_slab(job, q, slab);
            }
    }
}

/* The slabs that the bands on both sides of a joint left out. */
static void sweep_joints(void *context, int begin, int end)
{
    const sweep_job *job = context;
    for (int band = begin; band < end; band++) {
        int joint = sweep_band_begin(job, band);
        for (int q = 1; q < job->sweeps && sweep_joined(job, band); q++)
            for (int slab = joint - q; slab < joint + q; slab++)
                sweep_slab(job, q, slab);
    }
}

/* Sweeps per pass: as many as fit into the cache with the slabs in use. In 2D several fields together are too large for
   the first-level cache; they get one sweep per pass as long as the last-level cache holds everything. */
static int sweep_depth(const classic_sweep *sweep, int slabs)
{
    const domain *d = &sweep->metric->domain;
    int fields = 3 * sweep->count + 1 + classic_metric_width(d);
    int64_t bytes = (int64_t)sizeof(float) * fields * domain_cells(d), fit = CACHE_BYTES / (bytes / slabs) - 2;
    int most = fit < 1 ? 1 : fit < MOST_SWEEPS ? (int)fit : MOST_SWEEPS;
    bool one = sweep->settle || (d->dims == 2 && sweep->count > 1 && bytes < LAST_CACHE_BYTES);
    return one || (d->periodic[d->dims - 1] && slabs < 2 * most) ? 1 : most;
}

typedef struct sweep_move {
    const domain *d;
    const field *from;
    field *to;
} sweep_move;

static void sweep_move_rows(void *context, int begin, int end)
{
    const sweep_move *job = context;
    const int rows = job->d->n[1] + 2;
    for (int row = begin; row < end; row++) {
        ptrdiff_t at = field_offset(job->from, -1, row % rows - 1, row / rows - 1);
        memcpy(job->to->data + at, job->from->data + at, (size_t)(job->d->n[0] + 2) * sizeof(float));
    }
}

/* Copies cells and first ghosts only: `other` need not hold valid numbers beyond them. */
static void sweep_take_over(const domain *d, field *to, const field *from)
{
    threads_for_cost((d->n[1] + 2) * (d->dims == 3 ? d->n[2] + 2 : 1), d->n[0], sweep_move_rows,
                     &(sweep_move){d, from, to});
}

void classic_sweep_run(const classic_sweep *sweep, field *x, field *other, int sweeps)
{
    const domain *d = &sweep->metric->domain;
    assert(sweep->finish || sweep->count == 1);
    sweep_job job = {.sweep = sweep, .buffer = {x, other}, .kernel = sweep_choose(sweep), .slabs = sweep_slabs(d)};
    int most = sweep_depth(sweep, job.slabs);
    /* bands must be high enough that the slabs left out at their two joints do not overlap */
    job.bands = job.slabs / (2 * most) < fr_threads() ? job.slabs / (2 * most) : fr_threads();
    job.bands = job.bands > 1 ? job.bands : 1;
    int64_t cost = most * sweep->count * domain_cells(d) / job.bands;
    for (int done = 0; done < sweeps; done += job.sweeps) {
        job.sweeps = sweeps - done < most ? sweeps - done : most;
        threads_for_cost(job.bands, cost, sweep_bands, &job);
        if (job.sweeps > 1)
            threads_for_cost(job.bands, cost, sweep_joints, &job);
        if (job.sweeps % 2) {
            field *swap = job.buffer[0];
            job.buffer[0] = job.buffer[1];
            job.buffer[1] = swap;
        }
        if (sweep->settle)
            sweep->settle(sweep->context, job.buffer[0]);
    }
    for (int n = 0; n < sweep->count && job.buffer[0] != x; n++)
        sweep_take_over(d, &x[n], &other[n]);
}
