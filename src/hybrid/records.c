#include "hybrid/records.h"

size_t records_floats(const domain *d)
{
    size_t bytes = RECORDS_CENTRES * field_bytes(d, FR_AT_CELL);
    for (int a = 0; a < d->dims; a++)
        bytes += RECORDS_FACES * field_bytes(d, field_face(a));
    return bytes / sizeof(float);
}

size_t records_rows(const domain *d)
{
    return (size_t)(d->n[1] + 2) * (size_t)(d->n[2] + 2);
}

records records_over(float *block, uint32_t *ready, const domain *d, bool centres_too)
{
    records r = {.d = *d, .centres_too = centres_too, .ready = ready};
    for (int a = 0; a < d->dims; a++) {
        r.faces[a] = sums_over(block, d, field_face(a), RECORDS_FACES);
        r.periodic = r.periodic || d->periodic[a];
        block += RECORDS_FACES * r.faces[a].layout.count;
    }
    r.centres = sums_over(block, d, FR_AT_CELL, RECORDS_CENTRES);
    memset(ready, r.periodic ? 0xff : 0, sizeof *ready * records_rows(d));
    return r;
}

void records_clear(const records *r, int axis, int begin, int end)
{
    for (int a = 0; a < r->d.dims; a++)
        sums_clear(&r->faces[a], axis, begin, end);
    if (r->centres_too)
        sums_clear(&r->centres, axis, begin, end);
}

/* The samples of a row, ghosts included, that bits first … last stand for. */
static void records_span(const records *r, const field *layout, const int bits[2], int span[2])
{
    const int each = slabs_bit_cells(&r->d);
    span[0] = bits[0] ? bits[0] * each : -GHOST;
    span[1] = (bits[1] + 1) * each < r->d.n[0] ? (bits[1] + 1) * each : layout->size[0] + GHOST;
}

static void records_clear_spans(const records *r, const sums *s, const int row[2], uint32_t bits)
{
    while (bits) { /* runs of bits */
        const int first = __builtin_ctz(bits), beyond = ~(bits >> first) ? __builtin_ctz(~(bits >> first)) : 32;
        int span[2];
        records_span(r, &s->layout, (int[2]){first, first + beyond - 1}, span);
        memset(sums_row(s, row[0], row[1]) + s->each * span[0], 0,
               sizeof(float) * (size_t)(s->each * (span[1] - span[0])));
        bits = first + beyond < 32 ? bits & ~0u << (first + beyond) : 0;
    }
}

static void records_clear_row(const records *r, int j, int k, uint32_t bits)
{
    for (int a = 0; a < r->d.dims; a++)
        records_clear_spans(r, &r->faces[a], (int[2]){j, k}, bits);
    if (r->centres_too)
        records_clear_spans(r, &r->centres, (int[2]){j, k}, bits);
}

/* A parcel at the very end of the domain is between the last row of faces and one beyond. */
void records_open(const records *r, int j, int k, uint32_t bits)
{
    const int deep = r->d.dims == 3, last = j + (j == r->d.n[1] - 1);
    for (int m = k - deep; m <= k + deep; m++)
        for (int l = j - 1; l <= last; l++) {
            uint32_t *ready = records_ready(r, l, m);
            if (bits & ~*ready)
                records_clear_row(r, l, m, bits & ~*ready);
            *ready |= bits;
        }
}
