/* From the sums of parcels in records to what the grid is given. */
#include "base/threads.h"
#include "grid/extend.h"
#include "hybrid/records.h"

/* Faces with less than this weight are left to the extension from their neighbours. The nearest faces of a lone parcel
   have 1/8 or more. */
static const float LEAST_WEIGHT = 1e-3f;

/* The records that count for a row of samples: the first half of its own and the second half of those below. */
typedef struct means_row {
    const float *own, *below; /* those of sample 0 */
    uint32_t ready[2];        /* spans in use of either */
    int each, bit_cells, last_bit;
} means_row;

/* Parcels do not reach further down than the records of row −1. */
static means_row means_row_of(const records *r, const sums *s, int j, int k)
{
    const int each = slabs_bit_cells(&r->d);
    return (means_row){.own = sums_row(s, j, k),
                       .below = sums_row(s, j - 1, k),
                       .ready = {*records_ready(r, j, k), j < 0 ? 0 : *records_ready(r, j - 1, k)},
                       .each = s->each,
                       .bit_cells = each,
                       .last_bit = (r->d.n[0] - 1) / each};
}

/* The records of sample i and the next ones up to a multiple of eight; zeros where they are not in use. Whether any
   are. */
static inline bool means_at(const means_row *row, int i, const float *at[2])
{
    static const float zeros[RECORDS_FACES * WIDE];
    const int last = row->last_bit, bit = i / row->bit_cells < last ? i / row->bit_cells : last;
    const bool own = row->ready[0] >> bit & 1, below = row->ready[1] >> bit & 1;
    at[0] = own ? row->own + row->each * i : zeros;
    at[1] = below ? row->below + row->each * i : zeros;
    return own || below;
}

/* Weights and momenta of eight faces. */
static inline void means_sum_faces(const float *const at[2], wide *weight, wide *momentum)
{
    wide two[4]; /* (w, w v) of two faces each */
    for (int n = 0; n < 4; n++) {
        const wide below = wide_load(at[1] + WIDE * n);
        two[n] = wide_load(at[0] + WIDE * n) + __builtin_shufflevector(below, below, 2, 3, 2, 3, 6, 7, 6, 7);
    }
    const wide low = __builtin_shufflevector(two[0], two[1], 0, 8, 1, 9, 4, 12, 5, 13);
    const wide high = __builtin_shufflevector(two[2], two[3], 0, 8, 1, 9, 4, 12, 5, 13);
    const wide w = __builtin_shufflevector(low, high, 0, 1, 8, 9, 4, 5, 12, 13);
    const wide m = __builtin_shufflevector(low, high, 2, 3, 10, 11, 6, 7, 14, 15);
    *weight = __builtin_shufflevector(w, w, 0, 4, 1, 5, 2, 6, 3, 7);
    *momentum = __builtin_shufflevector(m, m, 0, 4, 1, 5, 2, 6, 3, 7);
}

/* Weights of eight centres. */
static inline wide means_sum_centres(const float *const at[2])
{
    wide four[2]; /* w of four centres each, beside what is not wanted */
    for (int n = 0; n < 2; n++) {
        const wide below = wide_load(at[1] + WIDE * n);
        four[n] = wide_load(at[0] + WIDE * n) + __builtin_shufflevector(below, below, 1, 1, 3, 3, 5, 5, 7, 7);
    }
    return __builtin_shufflevector(four[0], four[1], 0, 2, 4, 6, 8, 10, 12, 14);
}

/* Where a row of faces goes. */
typedef struct means_to {
    float *velocity, *weight;
    uint8_t *map;
} means_to;

/* The next eight faces, or `left` of them. */
static inline void means_set_faces(const means_row *row, const means_to *to, int i, int left)
{
    typedef uint8_t bytes __attribute__((vector_size(WIDE)));
    const float *at[2];
    wide weight = {0}, momentum = {0};
    if (means_at(row, i, at))
        means_sum_faces(at, &weight, &momentum);
    const wide_mask known = weight > LEAST_WEIGHT;
    const bytes map = __builtin_convertvector(~known, bytes); /* EXTEND_KNOWN is 0, EXTEND_FAR has all bits */
    wide_store_first(to->velocity + i, wide_keep(known, momentum / weight), left);
    if (to->weight)
        wide_store_first(to->weight + i, weight, left);
    if (to->map)
        memcpy(to->map + i, &map, left < WIDE ? (size_t)left : sizeof map);
}

typedef struct means_axis {
    const records *r;
    const transfer_faces *to;
    int axis;
} means_axis;

static void means_faces_row(const means_axis *job, int j, int k)
{
    const transfer_faces *to = job->to;
    const field *u = &to->velocity[job->axis];
    const means_row row = means_row_of(job->r, &job->r->faces[job->axis], j, k);
    const int count = u->size[0];
    means_to into = {.velocity = field_row(u, j, k)};
    if (to->weight)
        into.weight = field_row(&to->weight[job->axis], j, k);
    if (to->map[job->axis])
        into.map = to->map[job->axis] + (into.velocity - u->block);
    if (row.ready[0] | row.ready[1]) {
        for (int i = 0; i < count; i += WIDE)
            means_set_faces(&row, &into, i, count - i);
        return;
    }
    memset(into.velocity, 0, (size_t)count * sizeof(float));
    if (into.weight)
        memset(into.weight, 0, (size_t)count * sizeof(float));
    if (into.map)
        memset(into.map, EXTEND_FAR, (size_t)count);
}

static void means_faces_rows(void *context, int begin, int end)
{
    const means_axis *job = context;
    const int rows = job->to->velocity[job->axis].size[1];
    for (int n = begin; n < end; n++)
        means_faces_row(job, n % rows, n / rows);
}

typedef struct means_density {
    const records *r;
    field to;
} means_density;

static void means_density_row(const means_density *job, int j, int k)
{
    const domain *d = &job->r->d;
    float *to = field_row(&job->to, j, k);
    const float *at[2];
    memset(to - GHOST, 0, sizeof *to * (size_t)(d->n[0] + 2 * GHOST));
    if (j < -1 || j > d->n[1] || k < -1 || k > d->n[2]) /* no parcel is so far out */
        return;
    const means_row row = means_row_of(job->r, &job->r->centres, j, k);
    if (!(row.ready[0] | row.ready[1]))
        return;
    for (int i = 0; i < d->n[0]; i += WIDE)
        if (means_at(&row, i, at))
            wide_store_first(to + i, means_sum_centres(at), d->n[0] - i);
    for (int i = -1; i <= d->n[0]; i += d->n[0] + 1)
        if (means_at(&row, i, at))
            to[i] = at[0][0] + at[1][1];
}

/* Planes of rows, from the first ghost on. */
static void means_density_planes(void *context, int begin, int end)
{
    const means_density *job = context;
    const domain *d = &job->r->d;
    const int first = d->dims == 3 ? -GHOST : 0;
    for (int k = begin + first; k < end + first; k++)
        for (int j = -GHOST; j < d->n[1] + GHOST; j++)
            means_density_row(job, j, k);
}

void records_mean(const records *r, const transfer_faces *to)
{
    const domain *d = &r->d;
    for (int a = 0; a < d->dims; a++) {
        for (int b = 0; b < d->dims; b++)
            if (d->periodic[b])
                sums_fold(&r->faces[a], b, true, -1);
        if (to->map[a])
            memset(to->map[a], EXTEND_OUTSIDE, r->faces[a].layout.count);
        field_for_rows(&r->faces[a].layout, means_faces_rows, &(means_axis){r, to, a});
    }
    if (!to->density)
        return;
    means_density density = {.r = r};
    field_over(to->density, d, FR_AT_CELL, &density.to);
    threads_for_cost(d->dims == 3 ? d->n[2] + 2 * GHOST : 1, (int64_t)d->n[0] * d->n[1], means_density_planes,
                     &density);
}
