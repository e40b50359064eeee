/* From records to velocities. */
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
    int bit_cells, last_bit;
} means_row;

static means_row means_row_of(const records *r, const sums *s, int j, int k)
{
    const int cells = slabs_bit_cells(&r->d);
    return (means_row){.own = sums_row(s, j, k),
                       .below = sums_row(s, j - 1, k),
                       .ready = {records_used(r, j, k), records_used(r, j - 1, k)},
                       .bit_cells = cells,
                       .last_bit = (r->d.n[0] - 1) / cells};
}

/* The records of sample i and the next ones up to a multiple of eight; zeros where they are not in use. Whether any
   are. */
static inline bool means_at(const means_row *row, int i, const float *at[2])
{
    static const float zeros[RECORDS_EACH * WIDE];
    const int last = row->last_bit, bit = i / row->bit_cells < last ? i / row->bit_cells : last;
    const bool own = row->ready[0] >> bit & 1, below = row->ready[1] >> bit & 1;
    at[0] = own ? row->own + RECORDS_EACH * i : zeros;
    at[1] = below ? row->below + RECORDS_EACH * i : zeros;
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

/* Ghosts are outside: those between this row and the next one, too. */
static void means_frame_row(const field *layout, uint8_t *map, int j, int k)
{
    const bool last = j == layout->size[1] - 1, end = last && k == layout->size[2] - 1;
    const float *row = field_row(layout, j, k), *next = last ? field_row(layout, 0, k + 1) : row + layout->stride[1];
    uint8_t *first = map + (row - layout->block), *beyond = first + layout->size[0];
    memset(first - GHOST, EXTEND_OUTSIDE, GHOST);
    memset(beyond, EXTEND_OUTSIDE,
           end ? (size_t)(map + layout->count - beyond) : (size_t)(next - row) - (size_t)(beyond - first) - GHOST);
}

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
    if (into.map)
        means_frame_row(u, to->map[job->axis], j, k);
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

void records_mean(const records *r, const transfer_faces *to)
{
    const domain *d = &r->d;
    for (int a = 0; a < d->dims; a++) {
        for (int b = 0; b < d->dims; b++)
            if (d->periodic[b])
                sums_fold(&r->faces[a], b, true, -1);
        if (to->map[a])
            memset(to->map[a], EXTEND_OUTSIDE, (size_t)field_first(&r->faces[a].layout)); /* the rest row by row */
        field_for_rows(&r->faces[a].layout, means_faces_rows, &(means_axis){r, to, a});
    }
}
