#include "grid/classic_sweep.h"

#include <string.h>

#include "base/threads.h"
#include "base/wide.h"

/* The compiler must see which kind of sweep it is: 2D or 3D, of how many fields, damped or not. */
#define SWEEP_INLINE static inline __attribute__((always_inline))

/* A row of all fields that are swept together. */
typedef struct sweep_row {
    const field *from, *to;              /* the old iterate and the new one */
    const field *const *right;
    const field *damp;
    const float *stencil;
    ptrdiff_t at;                        /* where the row begins in the fields */
    int n;
} sweep_row;

SWEEP_INLINE wide sweep_pair(wide high, wide low, const float *k) { return high * wide_load(k) + low * wide_load(k + WIDE); }

SWEEP_INLINE wide sweep_axis(const float *x, ptrdiff_t step, const float *k) { return sweep_pair(wide_load(x + step), wide_load(x - step), k); }

SWEEP_INLINE wide sweep_cross(const float *x, ptrdiff_t a, ptrdiff_t b, const float *k)
{
    return ((wide_load(x + a + b) - wide_load(x + a - b)) - (wide_load(x - a + b) - wide_load(x - a - b))) * wide_load(k);
}

/* Writes eight results; of the groups at the ends of a row, only what lies inside. */
SWEEP_INLINE void sweep_finish(const sweep_row *r, int f, int i, wide sum, bool damped)
{
    const wide_mask lane = {0, 1, 2, 3, 4, 5, 6, 7};
    float *to = r->to[f].data + r->at + i;
    wide v = (damped ? sum * wide_load(r->damp->data + r->at + i) : sum) + wide_load(r->right[f]->data + r->at + i);
    if (i < 0 || i + WIDE > r->n)
        v = wide_choose((lane >= -i) & (lane < r->n - i), v, wide_load(to));
    wide_store(to, v);
}

SWEEP_INLINE void sweep_deep_row(const sweep_row *r, int count, bool damped)
{
    const ptrdiff_t row = r->from->stride[1], layer = r->from->stride[2];
    const float *k = r->stencil;
    for (int i = -GHOST; i < r->n; i += WIDE, k += WIDE * 9)
        for (int f = 0; f < count; f++) {
            const float *x = r->from[f].data + r->at + i;
            wide sum = sweep_axis(x, 1, k) + sweep_axis(x, row, k + WIDE * 2);
            sum += sweep_axis(x, layer, k + WIDE * 4) + sweep_cross(x, row, layer, k + WIDE * 6) + sweep_cross(x, layer, 1, k + WIDE * 7);
            sum += sweep_cross(x, 1, row, k + WIDE * 8);
            sweep_finish(r, f, i, sum, damped);
        }
}

/* What a field has above and below eight cells of a row, the difference of both, and that which begins in the middle of the eight before. */
typedef struct sweep_sight {
    wide high, low, rise, before;
} sweep_sight;

SWEEP_INLINE wide sweep_between(wide left, wide right) { return __builtin_shufflevector(left, right, 4, 5, 6, 7, 8, 9, 10, 11); }

SWEEP_INLINE sweep_sight sweep_look(const float *x, ptrdiff_t row)
{
    wide high = wide_load(x + row), low = wide_load(x - row), last = wide_load(x + row - WIDE) - wide_load(x - row - WIDE);
    return (sweep_sight){high, low, high - low, sweep_between(last, high - low)};
}

/* In 2D loads are what takes the time: what stands in the corners is not loaded but shifted. Goes on to the next eight cells. */
SWEEP_INLINE wide sweep_neighbours(sweep_sight *s, const float *x, ptrdiff_t row, const float *k)
{
    wide high = wide_load(x + row + WIDE), low = wide_load(x - row + WIDE), after = sweep_between(s->rise, high - low);
    wide east = __builtin_shufflevector(s->rise, after, 1, 2, 3, 8, 5, 6, 7, 12), west = __builtin_shufflevector(s->before, s->rise, 3, 8, 9, 10, 7, 12, 13, 14);
    wide sum = sweep_axis(x, 1, k) + sweep_pair(s->high, s->low, k + WIDE * 2);
    sum += (east - west) * wide_load(k + WIDE * 4);
    *s = (sweep_sight){high, low, high - low, after};
    return sum;
}

SWEEP_INLINE void sweep_group(const sweep_row *r, sweep_sight s[2], int i, int count, bool damped)
{
    const ptrdiff_t row = r->from->stride[1];
    const float *k = r->stencil + 5 * (i + GHOST);
    for (int f = 0; f < count; f++)
        sweep_finish(r, f, i, sweep_neighbours(&s[f], r->from[f].data + r->at + i, row, k), damped);
}

SWEEP_INLINE void sweep_flat_row(const sweep_row *row, int count, bool damped)
{
    const sweep_row r = *row;
    sweep_sight s[2];
    for (int f = 0; f < count; f++)
        s[f] = sweep_look(r.from[f].data + r.at - GHOST, r.from->stride[1]);
    int i = -GHOST;
    sweep_group(&r, s, i, count, damped);
    for (i += WIDE; i + WIDE <= r.n; i += WIDE)
        sweep_group(&r, s, i, count, damped);
    if (i < r.n)
        sweep_group(&r, s, i, count, damped);
}

static void sweep_flat(const sweep_row *r) { sweep_flat_row(r, 1, false); }
static void sweep_flat_damped(const sweep_row *r) { sweep_flat_row(r, 1, true); }
static void sweep_flat_vector(const sweep_row *r) { sweep_flat_row(r, 2, true); }
static void sweep_deep(const sweep_row *r) { sweep_deep_row(r, 1, false); }
static void sweep_deep_damped(const sweep_row *r) { sweep_deep_row(r, 1, true); }
static void sweep_deep_vector(const sweep_row *r) { sweep_deep_row(r, 3, true); }

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

/* The first ghosts that repeat samples of one row: at its own ends, and whole rows of ghosts. */
static void sweep_row_ghosts(const domain *d, const field *f, int j, int k)
{
    float *row = field_row(f, j, k);
    int n = d->n[0], rows[3], layers[3];
    row[-1] = row[d->periodic[0] ? n - 1 : 0];
    row[n] = row[d->periodic[0] ? 0 : n - 1];
    int row_count = sweep_images(j, d->n[1], d->periodic[1], rows);
    int layer_count = d->dims == 3 ? sweep_images(k, d->n[2], d->periodic[2], layers) : 1;
    for (int c = 0; c < layer_count; c++)
        for (int b = 0; b < row_count; b++)
            if (b + c > 0)
                memcpy(field_row(f, rows[b], c > 0 ? layers[c] : k) - 1, row - 1, (size_t)(n + 2) * sizeof *row);
}

static int sweep_slabs(const domain *d) { return d->n[d->dims - 1]; }

void classic_even_slab(const domain *d, field *f, int slab)
{
    for (int j = 0; j < (d->dims == 3 ? d->n[1] : 1); j++)
        sweep_row_ghosts(d, f, d->dims == 3 ? j : slab, d->dims == 3 ? slab : 0);
}

void classic_even_ghosts(const domain *d, field *f)
{
    for (int slab = 0; slab < sweep_slabs(d); slab++)
        classic_even_slab(d, f, slab);
}

/* Several sweeps in one pass through memory: a slab is swept again as soon as the next one has been swept once, while the nearest cache still holds
   the coefficients. Two buffers do: a result replaces that of two sweeps before, which no one needs any more. Each thread has a band of slabs; what
   hangs on a neighbouring band, a slab more at each sweep, is left out and made up for when all bands are done. Every value is the same as that of
   sweeps one by one. */
enum { MOST_SWEEPS = 2, CACHE_BYTES = 3 << 17 };

typedef struct sweep_job {
    const classic_sweep *sweep;
    field *buffer[2];
    void (*kernel)(const sweep_row *);
    int sweeps;                  /* in this pass */
    int slabs, bands;
} sweep_job;

static void (*sweep_kernel(const classic_sweep *sweep))(const sweep_row *)
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
    const classic_sweep *sweep = job->sweep;
    const domain *d = &sweep->metric->domain;
    const bool deep = d->dims == 3;
    field *from = job->buffer[q % 2], *to = job->buffer[(q + 1) % 2];
    slab = slab < 0 ? slab + job->slabs : slab < job->slabs ? slab : slab - job->slabs;
    for (int j = 0; j < (deep ? d->n[1] : 1); j++) {
        int row = deep ? j : slab, layer = deep ? slab : 0;
        job->kernel(&(sweep_row){.from = from, .to = to, .right = sweep->right, .damp = sweep->damp, .n = d->n[0],
                                 .stencil = classic_metric_row(sweep->metric, row, layer), .at = field_offset(from, 0, row, layer)});
    }
    sweep->finish(sweep->context, to, slab);
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

/* Sweeps in a pass: as many as there is cache for the slabs under way. */
static int sweep_depth(const classic_sweep *sweep, int slabs)
{
    const domain *d = &sweep->metric->domain;
    int fields = 3 * sweep->count + (d->dims == 3 ? 10 : 6);
    int64_t fit = CACHE_BYTES / ((int64_t)sizeof(float) * fields * domain_cells(d) / slabs) - 2;
    int most = fit < 1 ? 1 : fit < MOST_SWEEPS ? (int)fit : MOST_SWEEPS;
    return sweep->settle || (d->periodic[d->dims - 1] && slabs < 2 * most) ? 1 : most;
}

void classic_sweep_run(const classic_sweep *sweep, field *x, field *other, int sweeps)
{
    const domain *d = &sweep->metric->domain;
    sweep_job job = {.sweep = sweep, .buffer = {x, other}, .kernel = sweep_kernel(sweep), .slabs = sweep_slabs(d)};
    int most = sweep_depth(sweep, job.slabs);
    /* high enough that what two joints make up for does not meet */
    job.bands = job.slabs / (2 * most) < fr_threads() ? job.slabs / (2 * most) : fr_threads();
    job.bands = job.bands > 1 ? job.bands : 1;
    int64_t cost = most * sweep->count * domain_cells(d) / job.bands;
    for (int done = 0; done < sweeps; done += job.sweeps) {
        job.sweeps = sweeps - done < most ? sweeps - done : most;
        threads_for_cost(job.bands, cost, sweep_bands, &job);
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
        field_copy(&x[n], &other[n]);
}
