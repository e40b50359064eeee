#include "hybrid/records.h"

#include "base/threads.h"

size_t records_floats(const domain *d)
{
    size_t bytes = 0;
    for (int a = 0; a < d->dims; a++)
        bytes += RECORDS_EACH * field_bytes(d, field_face(a));
    return bytes / sizeof(float);
}

size_t records_rows(const domain *d)
{
    return (size_t)(d->n[1] + 2) * (size_t)(d->n[2] + 2);
}

records records_over(const records_memory *memory, const domain *d)
{
    records r = {.d = *d, .ready = memory->ready};
    float *block = memory->block;
    for (int a = 0; a < d->dims; a++) {
        r.faces[a] = sums_over(block, d, field_face(a), RECORDS_EACH);
        r.periodic = r.periodic || d->periodic[a];
        block += RECORDS_EACH * r.faces[a].layout.count;
    }
    if (memory->density)
        r.centres = sums_over(memory->density, d, FR_AT_CELL, 1);
    memset(r.ready, r.periodic ? 0xff : 0, sizeof *r.ready * records_rows(d));
    return r;
}

void records_clear(const records *r, int axis, int begin, int end)
{
    for (int a = 0; a < r->d.dims; a++)
        sums_clear(&r->faces[a], axis, begin, end);
    if (r->centres.block)
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

/* A row of records, and those of the two rows of centres that parcels between them add to which are not in use. */
static void records_open_row(const records *r, int j, int k, uint32_t bits)
{
    for (int a = 0; a < r->d.dims; a++)
        records_clear_spans(r, &r->faces[a], (int[2]){j, k}, bits);
    if (!r->centres.block)
        return;
    records_clear_spans(r, &r->centres, (int[2]){j, k}, bits & ~records_used(r, j - 1, k));
    records_clear_spans(r, &r->centres, (int[2]){j + 1, k}, bits & ~records_used(r, j + 1, k));
}

/* A parcel at the very end of the domain is between the last row of faces and one beyond. */
void records_open(const records *r, int j, int k, uint32_t bits)
{
    const int deep = r->d.dims == 3, last = j + (j == r->d.n[1] - 1);
    for (int m = k - deep; m <= k + deep; m++)
        for (int l = j - 1; l <= last; l++) {
            uint32_t *ready = r->ready + (l + 1) + (size_t)(r->d.n[1] + 2) * (size_t)(m + 1);
            if (bits & ~*ready)
                records_open_row(r, l, m, bits & ~*ready);
            *ready |= bits;
        }
}

/* Planes of rows, from the first ghost on. */
static void records_clear_planes(void *context, int begin, int end)
{
    const records *r = context;
    const domain *d = &r->d;
    const int first = d->dims == 3 ? -GHOST : 0;
    const uint32_t all = slabs_bits(d, 0, d->n[0]);
    for (int k = begin + first; k < end + first; k++)
        for (int j = -GHOST; j < d->n[1] + GHOST; j++) {
            const bool far = k < -1 || k > d->n[2];
            const uint32_t used = far ? 0 : records_used(r, j, k) | records_used(r, j - 1, k);
            records_clear_spans(r, &r->centres, (int[2]){j, k}, all & ~used);
        }
}

void records_clear_rest(const records *r)
{
    const domain *d = &r->d;
    records all = *r;
    if (r->centres.block && !r->periodic)
        threads_for_cost(d->dims == 3 ? d->n[2] + 2 * GHOST : 1, (int64_t)d->n[0] * d->n[1] / 8, records_clear_planes,
                         &all);
}
