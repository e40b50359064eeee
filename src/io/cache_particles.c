/* Writes the particles of a frame to its cache. */
#include "io/cache_particles.h"

#include <stdio.h>

#include "io/cache_table.h"

typedef struct cache_particles {
    file_draft *draft;
    const fr_frame *frame;
} cache_particles;

static fr_result cache_put_vectors(const cache_particles *w, h5_header *group, const char *name, fr_vectors vectors)
{
    const cache_table table = {H5_FLOAT32, 3, w->frame->particle_count, vectors.data, vectors.stride};
    return cache_put_table(w->draft, group, name, &table);
}

static fr_result cache_put_attributes(const cache_particles *w, h5_header *group)
{
    for (int i = 0; i < w->frame->attribute_count; i++) {
        const fr_attribute *attribute = &w->frame->attributes[i];
        h5_header header;
        char link[16];
        snprintf(link, sizeof link, "%04d", i);
        const cache_table table = {H5_FLOAT32, 1, w->frame->particle_count, attribute->data, 1};
        cache_begin_table(w->draft, &table, &header);
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
    const cache_table ids = {H5_INT64, 1, f->particle_count, f->particle_ids, 1};
    if (f->particle_ids)
        FR_TRY(cache_put_table(w->draft, group, "id", &ids));
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
