#include "grid/classic_sweep.h"

#include <string.h>

#include "base/threads.h"
#include "base/wide.h"

/* The compiler must see which kind of sweep it is: 2D or 3D, damped or not. */
#define SWEEP_INLINE static inline __attribute__((always_inline))

typedef struct sweep_row {
    const float *x;                      /* the row of the old iterate */
    ptrdiff_t step[3];
    const float *stencil, *right, *damp;
    float *to;
    int n;
} sweep_row;

SWEEP_INLINE wide sweep_axis(const float *x, ptrdiff_t step, const float *k)
{
    return wide_load(x + step) * wide_load(k) + wide_load(x - step) * wide_load(k + WIDE);
}

SWEEP_INLINE wide sweep_cross(const float *x, ptrdiff_t a, ptrdiff_t b, const float *k)
{
    return ((wide_load(x + a + b) - wide_load(x + a - b)) - (wide_load(x - a + b) - wide_load(x - a - b))) * wide_load(k);
}

/* Of the last eight of a row, those that it has. */
SWEEP_INLINE void sweep_store(const sweep_row *r, int i, wide v)
{
    if (i + WIDE <= r->n)
        wide_store(r->to + i, v);
    else
        for (int l = 0; l < r->n - i; l++)
            r->to[i + l] = v[l];
}

SWEEP_INLINE void sweep_cells(const sweep_row *r, bool flat, bool damped)
{
    const ptrdiff_t row = r->step[1], layer = r->step[2];
    const float *x = r->x, *k = r->stencil;
    const int width = flat ? 5 : 9;
    for (int i = 0; i < r->n; i += WIDE, k += WIDE * width) {
        wide sum = sweep_axis(x + i, 1, k) + sweep_axis(x + i, row, k + WIDE * 2);
        if (!flat)
            sum += sweep_axis(x + i, layer, k + WIDE * 4) + sweep_cross(x + i, row, layer, k + WIDE * 6) + sweep_cross(x + i, layer, 1, k + WIDE * 7);
        sum += sweep_cross(x + i, 1, row, k + WIDE * (width - 1));
        sum = (damped ? sum * wide_load(r->damp + i) : sum) + wide_load(r->right + i);
        sweep_store(r, i, sum);
    }
}

/* The same bits in 2D with fewer loads: differences across the row are taken once, and shifted. Reads up to 15 samples beyond the row. */
SWEEP_INLINE void sweep_roll(const sweep_row *r, bool damped)
{
    const float *x = r->x, *above = x + r->step[1], *below = x - r->step[1], *k = r->stencil;
    wide high = wide_load(above), low = wide_load(below), last = wide_load(above - WIDE) - wide_load(below - WIDE), here = high - low;
    for (int i = 0; i < r->n; i += WIDE, k += WIDE * 5) {
        wide high_next = wide_load(above + i + WIDE), low_next = wide_load(below + i + WIDE), next = high_next - low_next;
        wide east = __builtin_shufflevector(here, next, 1, 2, 3, 4, 5, 6, 7, 8), west = __builtin_shufflevector(last, here, 7, 8, 9, 10, 11, 12, 13, 14);
        wide sum = sweep_axis(x + i, 1, k) + (high * wide_load(k + WIDE * 2) + low * wide_load(k + WIDE * 3));
        sum += (east - west) * wide_load(k + WIDE * 4);
        sum = (damped ? sum * wide_load(r->damp + i) : sum) + wide_load(r->right + i);
        sweep_store(r, i, sum);
        high = high_next;
        low = low_next;
        last = here;
        here = next;
    }
}

/* Rows shorter than this end so near to the end of their field that nothing may be read beyond. */
enum { ROLLING = 2 * WIDE };

static void sweep_short(const sweep_row *r) { sweep_cells(r, true, false); }
static void sweep_short_damped(const sweep_row *r) { sweep_cells(r, true, true); }
static void sweep_flat(const sweep_row *r) { sweep_roll(r, false); }
static void sweep_flat_damped(const sweep_row *r) { sweep_roll(r, true); }
static void sweep_deep(const sweep_row *r) { sweep_cells(r, false, false); }
static void sweep_deep_damped(const sweep_row *r) { sweep_cells(r, false, true); }

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

/* Several sweeps in one pass through memory: a slab is swept again as soon as the next one has been swept once, while a core's own cache still holds
   the coefficients. Two buffers do: a result replaces that of two sweeps before, which no one needs any more. Each thread has a band of slabs; what
   hangs on a neighbouring band, a slab more at each sweep, is left out and made up for when all bands are done. Every value is the same as that of
   sweeps one by one. */
enum { MOST_SWEEPS = 4, CACHE_BYTES = 3 << 17 };

typedef struct sweep_job {
    const classic_sweep *sweep;
    field *buffer[2];
    int sweeps;                  /* in this pass */
    int slabs, bands;
} sweep_job;

static sweep_row sweep_row_of(const classic_sweep *sweep, int index, const field *from, const field *to, int j, int k)
{
    ptrdiff_t at = field_offset(from, 0, j, k);
    return (sweep_row){.x = from->data + at, .step = {1, from->stride[1], from->stride[2]}, .stencil = classic_metric_row(sweep->metric, j, k),
                       .right = sweep->right[index]->data + at, .damp = sweep->damp ? sweep->damp->data + at : NULL, .to = to->data + at,
                       .n = sweep->metric->domain.n[0]};
}

static void (*sweep_kernel(const domain *d, bool damped))(const sweep_row *)
{
    if (d->dims == 3)
        return damped ? sweep_deep_damped : sweep_deep;
    if (d->n[0] < ROLLING)
        return damped ? sweep_short_damped : sweep_short;
    return damped ? sweep_flat_damped : sweep_flat;
}

/* Sweep number q (from 0) of a slab, counted round where the axis is periodic. */
static void sweep_slab(const sweep_job *job, int q, int slab)
{
    const classic_sweep *sweep = job->sweep;
    const domain *d = &sweep->metric->domain;
    void (*cells)(const sweep_row *) = sweep_kernel(d, sweep->damp);
    field *from = job->buffer[q % 2], *to = job->buffer[(q + 1) % 2];
    slab = (slab + job->slabs) % job->slabs;
    for (int n = 0; n < sweep->count; n++)
        for (int j = 0; j < (d->dims == 3 ? d->n[1] : 1); j++) {
            sweep_row r = sweep_row_of(sweep, n, &from[n], &to[n], d->dims == 3 ? j : slab, d->dims == 3 ? slab : 0);
            cells(&r);
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
    sweep_job job = {.sweep = sweep, .buffer = {x, other}, .slabs = sweep_slabs(d)};
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
