#include "grid/curve/classic_sweep.h"

#include <assert.h>
#include <string.h>

#include "base/threads.h"
#include "base/wide.h"

/* The compiler must see which kind of sweep it is: 2D or 3D, of how many fields, damped or not. */
#define SWEEP_INLINE static inline __attribute__((always_inline))

/* A row of all fields that are swept together. */
typedef struct sweep_row {
    const float *from[3], *right[3];
    float *to[3];
    const float *damp, *stencil;
    ptrdiff_t row, layer;                /* strides of the fields */
    int n;
    bool even;                           /* ghosts at the ends repeat the cells beside them */
} sweep_row;

/* Eight results at an end of a row: what lies beyond repeats the last inside, in one piece with it so that the next
   sweep can load both at once, or stays as it was. */
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

/* How much the neighbours along an axis are above `low`, the one whose coefficient is what those of the others leave
 * of 1. */
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

/* What a field has below eight cells of a row, how much more above them, and that which begins in the middle of the
 * eight before. */
typedef struct sweep_sight {
    wide low, rise, before;
} sweep_sight;

SWEEP_INLINE wide sweep_between(wide left, wide right)
{
    return __builtin_shufflevector(left, right, 4, 5, 6, 7, 8, 9, 10, 11);
}

/* The first eight of a row: nothing inside it needs what is before them. */
SWEEP_INLINE sweep_sight sweep_look(const float *x, ptrdiff_t row)
{
    wide low = wide_load(x - row), rise = wide_load(x + row) - low;
    return (sweep_sight){low, rise, sweep_between(rise, rise)};
}

/* In 2D loads are what takes the time: what stands in the corners is not loaded but shifted. Goes on to the next eight
 * cells. */
SWEEP_INLINE wide sweep_neighbours(sweep_sight *s, const float *x, ptrdiff_t row, const float *k)
{
    wide low = wide_load(x - row + WIDE), rise = wide_load(x + row + WIDE) - low, after = sweep_between(s->rise, rise);
    wide east = __builtin_shufflevector(s->rise, after, 1, 2, 3, 8, 5, 6, 7, 12),
         west = __builtin_shufflevector(s->before, s->rise, 3, 8, 9, 10, 7, 12, 13, 14);
    wide sum = sweep_axis(x, 1, s->low, k) + (s->rise * wide_load(k + WIDE * 2) + s->low);
    sum += (east - west) * wide_load(k + WIDE * 3);
    *s = (sweep_sight){low, rise, after};
    return sum;
}

SWEEP_INLINE void sweep_group(const sweep_row *r, sweep_sight s[2], int i, int count, bool damped)
{
    wide sum[2];
    for (int f = 0; f < count; f++)
        sum[f] = sweep_neighbours(&s[f], r->from[f] + i, r->row, r->stencil + 4 * (i + GHOST));
    for (int f = 0; f < count; f++)
        sweep_finish(r, f, i, sum[f], damped);
}

SWEEP_INLINE void sweep_flat_row(const sweep_row *r, int count, bool damped)
{
    sweep_sight s[2];
    for (int f = 0; f < count; f++)
        s[f] = sweep_look(r->from[f] - GHOST, r->row);
    int i = -GHOST;
    sweep_group(r, s, i, count, damped);
    for (i += WIDE; i + WIDE <= r->n; i += WIDE)
        sweep_group(r, s, i, count, damped);
    if (i < r->n)
        sweep_group(r, s, i, count, damped);
}

/* Whether rows end evenly, and their ghosts can be written with them. */
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
        if (r.even && (r.n + GHOST) % WIDE == 0)   /* the last eight end with the row */
            r.to[0][r.n] = r.to[0][r.n - 1];
    }
}

/* Sweeps a slab of the old iterate for the new one. */
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

/* The indices, beside its own, where a row or layer `at` of `n` appears among the first ghosts. */
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

/* Whole rows of ghosts that repeat a row with its ends. */
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

/* The first ghosts that follow a slab, with no gradient across sides that are not periodic; the rows may have their
 * ends already. */
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

/* Several sweeps in one pass through memory: a slab is swept again as soon as the next one has been swept once, while
   the nearest cache still holds the coefficients. Two buffers do: a result replaces that of two sweeps before, which no
   one needs any more. Each thread has a band of slabs; what hangs on a neighbouring band, a slab more at each sweep, is
   left out and made up for when all bands are done. Every value is the same as that of sweeps one by one. */
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

/* Sweep number q (from 0) of a slab, counted round where the axis is periodic. */
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

/* What the bands on both sides of a joint left out. */
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

/* Sweeps in a pass: as many as there is cache for the slabs under way. Rows of several fields are too much for the
   nearest cache: they are swept one by one as long as the last cache keeps everything. */
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

/* Cells and first ghosts alone: `other` need hold no numbers beyond them. */
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
    /* high enough that what two joints make up for does not meet */
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
