/* Eight parcels side by side, and the cells that they are in. */
#ifndef FR_HYBRID_EIGHT_H
#define FR_HYBRID_EIGHT_H

#include "base/wide.h"
#include "grid/field.h"
#include "hybrid/parcels.h"

/* The cells that eight places are in. */
static inline void eight_cells(const wide x[3], const domain *d, wide_mask cell[3])
{
    for (int a = 0; a < 3; a++) {
        wide_mask at = __builtin_convertvector(x[a], wide_mask), beyond = at >= d->n[a];
        cell[a] = (beyond & (d->n[a] - 1)) | (~beyond & at);
    }
}

typedef struct eight {
    unsigned there;    /* bit l: parcel l is there */
    wide_mask cell[3]; /* (0, 0, 0) of those that are not */
} eight;

/* Those from n on. */
static inline eight eight_from(const parcels *p, int64_t n)
{
    eight e;
    wide x[3] = {wide_load(p->x[0] + n), wide_load(p->x[1] + n), wide_load(p->x[2] + n)};
    wide_mask there = x[p->slow] >= 0, lane = {0, 1, 2, 3, 4, 5, 6, 7};
    if (p->count - n < WIDE)
        there &= lane < (int32_t)(p->count - n);
    e.there = wide_bits(there);
    eight_cells(x, &p->d, e.cell);
    for (int a = 0; a < 3; a++)
        e.cell[a] &= there;
    return e;
}

/* The same cells of a field that is so much finer as it has more of them. */
static inline void eight_refine(eight *e, const parcels *p, int64_t n, const field *finer)
{
    const float fine = (float)(finer->size[0] / p->d.n[0]);
    const wide x[3] = {fine * wide_load(p->x[0] + n), fine * wide_load(p->x[1] + n), fine * wide_load(p->x[2] + n)};
    const wide_mask bit = {1, 2, 4, 8, 16, 32, 64, 128}, there = ((int32_t)e->there & bit) != 0;
    const domain cells = {.n = {finer->size[0], finer->size[1], finer->size[2]}};
    eight_cells(x, &cells, e->cell);
    for (int a = 0; a < 3; a++)
        e->cell[a] &= there;
}

/* Where their cells lie in an array with these strides. */
static inline wide_mask eight_offsets(const eight *e, int stride_y, int stride_z)
{
    return e->cell[0] + stride_y * e->cell[1] + stride_z * e->cell[2];
}

/* What a field of cells holds in theirs. */
static inline wide eight_values(const eight *e, const field *f)
{
    const wide_mask at = eight_offsets(e, (int)f->stride[1], (int)f->stride[2]);
    const float *data = f->data;
    return (wide){data[at[0]], data[at[1]], data[at[2]], data[at[3]],
                  data[at[4]], data[at[5]], data[at[6]], data[at[7]]};
}

/* Whether a field of cells holds values from `least` on in a box. */
static inline bool eight_box_holds(const field *f, const int16_t low[3], const int16_t high[3], float least)
{
    const wide_mask lane = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++) {
            const float *row = field_row(f, j, k);
            for (int i = low[0]; i <= high[0]; i += WIDE)
                if (wide_any((wide_load(row + i) >= least) & (lane <= high[0] - i)))
                    return true;
        }
    return false;
}

#endif
