#include "hybrid/transfer.h"

#include <string.h>

#include "base/memory.h"
#include "hybrid/to_grid_parts.h"

/* Of the largest component. */
static size_t transfer_component(const domain *d)
{
    size_t most = 0;
    for (int a = 0; a < d->dims; a++) {
        const size_t count = field_bytes(d, field_face(a)) / sizeof(float);
        most = most > count ? most : count;
    }
    return most;
}

/* Room for the sums, and for two staggered fields, with room for one component to spare (pairs.c). */
static size_t transfer_floats(const domain *d)
{
    const size_t sums = transfer_row(d) * (size_t)transfer_faces_along(d, 1) * (size_t)transfer_faces_along(d, 2);
    const size_t fields = transfer_component(d) * (size_t)(2 * d->dims + (d->dims == 3));
    return sums > fields ? sums : fields;
}

/* Rows along x of the faces of any axis, at the most. */
static size_t transfer_rows(const domain *d)
{
    return (size_t)(d->n[1] + 1) * (size_t)(d->n[2] + 1);
}

size_t transfer_bytes(const domain *d)
{
    return sizeof(float) * transfer_floats(d) +
           (2 * sizeof(double) + (size_t)d->dims * sizeof(extend_span)) * transfer_rows(d) + transfer_ready(d) +
           near_surface_bytes(d);
}

fr_result transfer_create(const domain *d, transfer *out)
{
    if (transfer_floats(d) > UINT32_MAX)
        return fr_fail(FR_ERROR_INPUT, "parcels of liquid need a box of less than 600 million cells");
    *out = (transfer){.d = *d, .block = MEMORY_NEW(float, transfer_floats(d))};
    for (int i = 0; i < 2; i++)
        out->rows[i] = MEMORY_NEW(double, transfer_rows(d));
    out->ready = MEMORY_NEW(uint8_t, transfer_ready(d));
    bool room = out->block && out->rows[0] && out->rows[1] && out->ready;
    for (int a = 0; a < d->dims; a++) {
        out->reach[a] = MEMORY_NEW(extend_span, transfer_rows(d));
        room = room && out->reach[a];
    }
    fr_result result = room ? near_surface_create(d, &out->near) : FR_ERROR_MEMORY;
    if (result != FR_OK) {
        transfer_destroy(out);
        return result;
    }
    const size_t component = transfer_component(d);
    for (int a = 0; a < d->dims; a++) {
        field_over(out->block + (size_t)a * component, d, field_face(a), &out->before[a]);
        field_over(out->block + (size_t)(d->dims + a) * component, d, field_face(a), &out->faces[a]);
        for (int r = 0; r < field_rows(&out->faces[a]); r++)
            out->reach[a][r].end = out->faces[a].size[0];
    }
    return FR_OK;
}

/* Eight parcels at a time are read for, and for those that are gone it is done in the first cell (eight.h,
   from_grid.c). */
void transfer_restrict(transfer *t, int axis, const extend_span *spans)
{
    const field *f = &t->faces[axis];
    memcpy(t->reach[axis], spans, sizeof *spans * (size_t)field_rows(f));
    for (int k = 0; k < 2 && k < f->size[2]; k++)
        for (int j = 0; j < 2 && j < f->size[1]; j++) {
            extend_span *first = &t->reach[axis][j + (ptrdiff_t)k * f->size[1]];
            *first = (extend_span){0, first->end > 2 ? first->end : 2};
        }
}

void transfer_destroy(transfer *t)
{
    memory_free(t->block);
    memory_free(t->rows[0]);
    memory_free(t->rows[1]);
    memory_free(t->ready);
    for (int a = 0; a < 3; a++)
        memory_free(t->reach[a]);
    near_surface_destroy(&t->near);
    *t = (transfer){0};
}
