/* Writes the particles of a frame to its cache: contiguous datasets with a row per particle. */
#include "io/cache_particles.h"

#include <stdio.h>
#include <string.h>

#include "io/numbers.h"

typedef struct cache_particles {
    file_draft *draft;
    const fr_frame *frame;
} cache_particles;

/* One or several numbers per particle. */
typedef struct cache_table {
    h5_type type;
    int columns;                 /* 1: the dataset has no second index */
    const void *values;
    ptrdiff_t stride;            /* from row to row, in numbers */
} cache_table;

static uint64_t cache_put_rows(const cache_particles *w, const cache_table *table)
{
    enum { ROWS = 4096, ROW_BYTES = 12 };
    unsigned char piece[ROWS * ROW_BYTES];
    size_t number = h5_type_size(table->type), width = (size_t)table->columns * number;
    int64_t count = w->frame->particle_count;
    uint64_t address = count > 0 ? h5_place(w->draft) : H5_NOWHERE;
    const char *row = table->values;
    for (int64_t first = 0; first < count && !w->draft->bytes.error; first += ROWS) {
        size_t rows = count - first < ROWS ? (size_t)(count - first) : ROWS;
        for (size_t i = 0; i < rows; i++, row += table->stride * (ptrdiff_t)number)
            memcpy(piece + i * width, row, width);
        numbers_swap(piece, rows * (size_t)table->columns, number);
        file_put(w->draft, piece, rows * width);
    }
    return address;
}

static void cache_begin_table(const cache_particles *w, const cache_table *table, h5_header *header)
{
    h5_begin_dataset(header, &(h5_array){
        .type = table->type, .rank = table->columns > 1 ? 2 : 1,
        .size = {w->frame->particle_count, table->columns}, .address = cache_put_rows(w, table),
    });
}

static fr_result cache_put_table(const cache_particles *w, h5_header *group, const char *name, const cache_table *table)
{
    h5_header header;
    cache_begin_table(w, table, &header);
    return h5_end_child(w->draft, &header, group, name);
}

static fr_result cache_put_vectors(const cache_particles *w, h5_header *group, const char *name, fr_vectors vectors)
{
    return cache_put_table(w, group, name, &(cache_table){H5_FLOAT32, 3, vectors.data, vectors.stride});
}

static fr_result cache_put_attributes(const cache_particles *w, h5_header *group)
{
    for (int i = 0; i < w->frame->attribute_count; i++) {
        const fr_attribute *attribute = &w->frame->attributes[i];
        h5_header header;
        char link[16];
        snprintf(link, sizeof link, "%04d", i);
        cache_begin_table(w, &(cache_table){H5_FLOAT32, 1, attribute->data, 1}, &header);
        h5_put_text(&header, "name", attribute->name);
        h5_put_text(&header, "unit", attribute->unit ? attribute->unit : "");
        FR_TRY(h5_end_child(w->draft, &header, group, link));
    }
    return FR_OK;
}

static fr_result cache_fill_particles(const cache_particles *w, h5_header *group, h5_header *attributes)
{
    const fr_frame *f = w->frame;
    const int64_t count = f->attribute_count;
    FR_TRY(cache_put_vectors(w, group, "position", f->particles));
    FR_TRY(cache_put_vectors(w, group, "velocity", f->particle_velocity));
    if (f->particle_ids)
        FR_TRY(cache_put_table(w, group, "id", &(cache_table){H5_INT64, 1, f->particle_ids, 1}));
    if (f->can & FR_FRAME_LIQUID)
        h5_put_reals(group, "spacing", &f->particle_spacing, 1);
    if (count == 0)
        return FR_OK;
    h5_put_integers(group, "attributes", &count, 1);
    FR_TRY(cache_put_attributes(w, attributes));
    return h5_end_child(w->draft, attributes, group, "attributes");
}

fr_result cache_put_particles(file_draft *draft, const fr_frame *frame, h5_header *own)
{
    const cache_particles w = {draft, frame};
    h5_header group, attributes;
    h5_begin_group(&group);
    h5_begin_group(&attributes);
    fr_result result = cache_fill_particles(&w, &group, &attributes);
    if (result == FR_OK)
        result = h5_end_child(draft, &group, own, "particles");
    h5_drop(&group);
    h5_drop(&attributes);
    return result;
}
