#include "grid/classic_sweep.h"

#include <string.h>

#include "base/wide.h"

/* The compiler must see which kind of sweep it is: 2D or 3D, damped or not. */
#define SWEEP_INLINE static inline __attribute__((always_inline))

typedef struct sweep_row {
    const float *x;                      /* the row of the old iterate */
    ptrdiff_t step[3];
    const float *along[3], *bend[3], *cross[3];
    const float *right, *damp;
    float *to;
    int n;
} sweep_row;

SWEEP_INLINE wide sweep_axis(const sweep_row *r, int axis, int i)
{
    wide high = wide_load(r->x + i + r->step[axis]), low = wide_load(r->x + i - r->step[axis]);
    return (high + low) * wide_load(r->along[axis] + i) + (high - low) * wide_load(r->bend[axis] + i);
}

SWEEP_INLINE wide sweep_cross(const sweep_row *r, int axis, int i)
{
    ptrdiff_t a = r->step[(axis + 1) % 3], b = r->step[(axis + 2) % 3];
    const float *x = r->x + i;
    return ((wide_load(x + a + b) - wide_load(x + a - b)) - (wide_load(x - a + b) - wide_load(x - a - b))) * wide_load(r->cross[axis] + i);
}

/* Eight cells at once; of the last eight, those that the row has. */
SWEEP_INLINE void sweep_cells(const sweep_row *row, bool flat, bool damped)
{
    const sweep_row r = *row;
    for (int i = 0; i < r.n; i += WIDE) {
        wide sum = sweep_axis(&r, 0, i) + sweep_axis(&r, 1, i);
        if (!flat)
            sum += sweep_axis(&r, 2, i) + sweep_cross(&r, 0, i) + sweep_cross(&r, 1, i);
        sum += sweep_cross(&r, 2, i);
        sum = (damped ? sum * wide_load(r.damp + i) : sum) + wide_load(r.right + i);
        if (i + WIDE <= r.n)
            wide_store(r.to + i, sum);
        else
            memcpy(r.to + i, &sum, (size_t)(r.n - i) * sizeof(float));
    }
}

static void sweep_flat(const sweep_row *r) { sweep_cells(r, true, false); }
static void sweep_flat_damped(const sweep_row *r) { sweep_cells(r, true, true); }
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

typedef struct sweep_job {
    const classic_sweep *sweep;
    const field *from;
    field *to;
} sweep_job;

static sweep_row sweep_row_of(const sweep_job *job, int j, int k)
{
    const classic_metric *m = job->sweep->metric;
    ptrdiff_t at = field_offset(job->from, 0, j, k);
    sweep_row r = {.x = job->from->data + at, .right = job->sweep->right->data + at, .to = job->to->data + at, .n = m->domain.n[0]};
    for (int a = 0; a < 3; a++) {
        r.step[a] = job->from->stride[a];
        r.along[a] = a < m->domain.dims ? m->along[a].data + at : NULL;
        r.bend[a] = a < m->domain.dims ? m->bend[a].data + at : NULL;
        r.cross[a] = m->cross[a].data ? m->cross[a].data + at : NULL;
    }
    r.damp = job->sweep->damp ? job->sweep->damp->data + at : NULL;
    return r;
}

static void sweep_rows(void *context, int begin, int end)
{
    const sweep_job *job = context;
    const domain *d = &job->sweep->metric->domain;
    void (*cells)(const sweep_row *) = d->dims == 2 ? job->sweep->damp ? sweep_flat_damped : sweep_flat
                                       : job->sweep->damp ? sweep_deep_damped : sweep_deep;
    for (int m = begin; m < end; m++) {
        int j = m % d->n[1], k = m / d->n[1];
        sweep_row r = sweep_row_of(job, j, k);
        cells(&r);
        if (job->sweep->even)
            sweep_row_ghosts(d, job->to, j, k);
    }
}

void classic_sweep_run(const classic_sweep *sweep, const field *from, field *to)
{
    sweep_job job = {sweep, from, to};
    field_for_rows(from, sweep_rows, &job);
}

void classic_even_ghosts(const domain *d, field *f)
{
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++)
            sweep_row_ghosts(d, f, j, k);
}
