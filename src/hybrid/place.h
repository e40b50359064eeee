/* One place, in cells from the domain's low corner. */
#ifndef FR_HYBRID_PLACE_H
#define FR_HYBRID_PLACE_H

#include <math.h>

#include "grid/field.h"

/* The field's value at a place, trilinear; `axis` is that of the field's faces, −1 for centres. */
static inline float place_value(const field *f, int axis, const float x[3])
{
    float share[3], value = 0;
    const float *at = f->data;
    for (int a = 0; a < 3; a++) {
        float along = a == axis ? x[a] : x[a] - 0.5f, low = floorf(along);
        share[a] = along - low;
        at += (ptrdiff_t)low * f->stride[a];
    }
    for (int corner = 0; corner < 8; corner++) {
        float weight = 1;
        ptrdiff_t from = 0;
        for (int a = 0; a < 3; a++) {
            bool high = corner >> a & 1;
            weight *= high ? share[a] : 1 - share[a];
            from += high ? f->stride[a] : 0;
        }
        value += weight * at[from];
    }
    return value;
}

/* The same of a field of cells that are `fine` times as fine along every axis; 0, 1: they are not. */
static inline float place_value_fine(const field *f, int fine, const float x[3])
{
    const float scale = fine > 1 ? (float)fine : 1;
    return place_value(f, -1, (float[3]){scale * x[0], scale * x[1], scale * x[2]});
}

/* The same in the centre of a cell. */
static inline float place_centre(const field *f, int fine, const int cell[3])
{
    if (fine <= 1)
        return field_row(f, cell[1], cell[2])[cell[0]];
    return place_value_fine(f, fine, (float[3]){(float)cell[0] + 0.5f, (float)cell[1] + 0.5f, (float)cell[2] + 0.5f});
}

/* Keeps a place just inside the domain: rounding may have put it on its upper end. */
static inline void place_clamp(const domain *d, float x[3])
{
    for (int a = 0; a < 3; a++) {
        float high = (float)d->n[a] * (1 - 0x1p-23f);
        x[a] = a >= d->dims ? 0.5f : x[a] < high ? x[a] : high;
    }
}

/* The diagonal of a cell, m. */
static inline float place_diagonal(const domain *d)
{
    double squares = 0;
    for (int a = 0; a < d->dims; a++)
        squares += d->h[a] * d->h[a];
    return (float)sqrt(squares);
}

#endif
