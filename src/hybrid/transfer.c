#include "hybrid/transfer.h"

#include "base/memory.h"
#include "hybrid/records.h"

/* Samples on all faces. */
static size_t transfer_samples(const domain *d)
{
    size_t count = 0;
    for (int a = 0; a < d->dims; a++)
        count += field_bytes(d, field_face(a)) / sizeof(float);
    return count;
}

/* Rows along x of the faces of any axis, at the most. */
static size_t transfer_rows(const domain *d)
{
    return (size_t)(d->n[1] + 1) * (size_t)(d->n[2] + 1);
}

size_t transfer_bytes(const domain *d)
{
    return sizeof(float) * records_floats(d) + 2 * sizeof(double) * transfer_rows(d) +
           sizeof(uint32_t) * records_rows(d) + near_surface_bytes(d);
}

fr_result transfer_create(const domain *d, transfer *out)
{
    *out = (transfer){.d = *d, .block = MEMORY_NEW(float, records_floats(d))};
    for (int i = 0; i < 2; i++)
        out->rows[i] = MEMORY_NEW(double, transfer_rows(d));
    out->ready = MEMORY_NEW(uint32_t, records_rows(d));
    bool room = out->block && out->rows[0] && out->rows[1] && out->ready;
    fr_result result = room ? near_surface_create(d, &out->near) : FR_ERROR_MEMORY;
    if (result != FR_OK) {
        transfer_destroy(out);
        return result;
    }
    float *first = out->block, *second = out->block + transfer_samples(d);
    for (int a = 0; a < d->dims; a++) {
        field_over(first, d, field_face(a), &out->before[a]);
        field_over(second, d, field_face(a), &out->faces[a]);
        first += out->before[a].count;
        second += out->faces[a].count;
    }
    return FR_OK;
}

void transfer_destroy(transfer *t)
{
    memory_free(t->block);
    memory_free(t->rows[0]);
    memory_free(t->rows[1]);
    memory_free(t->ready);
    near_surface_destroy(&t->near);
    *t = (transfer){0};
}
