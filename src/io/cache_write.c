#include <freshet/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/cache.h"
#include "io/cache_bodies.h"
#include "io/cache_particles.h"
#include "io/names.h"
#include "io/nodes.h"
#include "io/pack.h"

static const char velocity_name[] = "velocity";
static const char *const names_taken[] = {velocity_name, NULL};

enum { FLAT_LAYERS = 2 };

/* A VTK image that is `refine` times finer than the frame. */
typedef struct cache_image {
    int refine;
    h5_header image, centres;    /* groups */
} cache_image;

typedef struct cache_writer {
    file_draft draft;
    const fr_frame *frame;
    name_text *names;
    h5_header root, own, faces, fields;    /* groups */
    cache_image *images;
    int image_count;
} cache_writer;

/* Whether an image that is `refine` times finer than the frame has only one layer. */
static bool cache_is_flat(const fr_frame *frame, int refine)
{
    return (frame->dims == 3 ? refine : 1) * frame->cells[2] == 1;
}

static fr_result cache_check_frame(const fr_frame *frame)
{
    const char *trouble = cache_grid_trouble(frame);
    if (trouble)
        return fr_fail(FR_ERROR_INPUT, "the frame cannot be cached: its %s is not valid", trouble);
    if (frame->field_count > CACHE_FIELDS_MOST)
        return fr_fail(FR_ERROR_INPUT, "%d fields are too many to cache: at most %d", frame->field_count,
                       CACHE_FIELDS_MOST);
    if (frame->attribute_count > CACHE_FIELDS_MOST)
        return fr_fail(FR_ERROR_INPUT, "%d attributes of particles are too many to cache: at most %d",
                       frame->attribute_count, CACHE_FIELDS_MOST);
    const int64_t nodes[3] = {nodes_along(frame, 0), nodes_along(frame, 1), nodes_along(frame, 2)};
    double samples = frame->can & FR_FRAME_BENT ? 3 * cache_samples(nodes) : 0;
    for (int i = 0; i < frame->field_count; i++) {
        const fr_field *field = &frame->fields[i];
        samples += cache_samples(field->size);
        int refine = fr_field_refine(frame, field);
        if (refine < 1 || refine > CACHE_REFINE_MOST)
            return fr_fail(FR_ERROR_INPUT, "field '%.100s' cannot be cached: its size does not fit the frame's cells",
                           field->name);
    }
    if (samples > CACHE_SAMPLES_MOST)
        return fr_fail(FR_ERROR_INPUT, "a frame of %.3g samples is too large to cache: at most %.3g", samples,
                       CACHE_SAMPLES_MOST);
    for (int i = 0; i < frame->ledger.count; i++)
        if (strchr(frame->ledger.names[i], '\n'))
            return fr_fail(FR_ERROR_INPUT, "a ledger column cannot be cached: its name has a line break");
    return FR_OK;
}

static void cache_put_vtk(const fr_frame *f, h5_header *image, int refine)
{
    const int64_t version[2] = {1, 0};
    int64_t extent[6] = {0}, size[3];
    double origin[3], spacing[3];
    const double direction[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    cache_field_size(f, FR_AT_CELL, refine, size);
    for (int a = 0; a < 3; a++) {
        extent[2 * a + 1] = a == 2 && cache_is_flat(f, refine) ? FLAT_LAYERS - 1 : size[a] - 1;
        origin[a] = f->origin[a] + (a < f->dims ? 0.5 * f->spacing[a] / refine : 0);
        /* a 2D scene may have no thickness, a VTK image must */
        spacing[a] = (f->spacing[a] > 0 ? f->spacing[a] : f->spacing[0]) / (a < f->dims ? refine : 1);
    }
    h5_put_integers(image, "Version", version, 2);
    h5_put_text(image, "Type", "ImageData");
    h5_put_integers(image, "WholeExtent", extent, 6);
    h5_put_reals(image, "Origin", origin, 3);
    h5_put_reals(image, "Spacing", spacing, 3);
    h5_put_reals(image, "Direction", direction, 9);
}

/* Finds the image with that refinement, or begins it. */
static fr_result cache_find_image(cache_writer *w, int refine, cache_image **found)
{
    for (int i = 0; i < w->image_count; i++)
        if (w->images[i].refine == refine) {
            *found = &w->images[i];
            return FR_OK;
        }
    cache_image *grown = realloc(w->images, ((size_t)w->image_count + 1) * sizeof *grown);
    if (!grown)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for the images of VTK");
    w->images = grown;
    *found = &grown[w->image_count++];
    (*found)->refine = refine;
    h5_begin_group(&(*found)->image);
    h5_begin_group(&(*found)->centres);
    cache_put_vtk(w->frame, &(*found)->image, refine);
    return FR_OK;
}

static fr_result cache_put_ledger(cache_writer *w)
{
    const fr_ledger *ledger = &w->frame->ledger;
    size_t length = 1;
    for (int i = 0; i < ledger->count; i++)
        length += strlen(ledger->names[i]) + 1;
    char *names = calloc(length, 1), *end = names;
    if (!names)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for the names of %d ledger columns", ledger->count);
    for (int i = 0; i < ledger->count; i++)
        end += snprintf(end, length - (size_t)(end - names), "%s\n", ledger->names[i]);
    h5_put_text(&w->own, "ledger_names", names);
    h5_put_reals(&w->own, "ledger_values", ledger->values, ledger->count);
    free(names);
    return FR_OK;
}

static fr_result cache_put_frame(cache_writer *w)
{
    const fr_frame *f = w->frame;
    const int64_t format = CACHE_FORMAT, index = f->index, dims = f->dims, count = f->field_count;
    const int64_t cells[3] = {f->cells[0], f->cells[1], f->cells[2]}, obstacles = f->has_obstacles;
    const int64_t periodic[3] = {f->periodic[0], f->periodic[1], f->periodic[2]}, can = f->can;
    h5_put_integers(&w->own, "format", &format, 1);
    h5_put_integers(&w->own, "can", &can, 1);
    h5_put_integers(&w->own, "frame", &index, 1);
    h5_put_reals(&w->own, "time", &f->time, 1);
    h5_put_integers(&w->own, "dims", &dims, 1);
    h5_put_integers(&w->own, "cells", cells, 3);
    h5_put_reals(&w->own, "origin", f->origin, 3);
    h5_put_reals(&w->own, "spacing", f->spacing, 3);
    h5_put_integers(&w->own, "periodic", periodic, 3);
    h5_put_integers(&w->own, "has_obstacles", &obstacles, 1);
    h5_put_integers(&w->own, "fields", &count, 1);
    return f->ledger.count > 0 ? cache_put_ledger(w) : FR_OK;
}

/* Begins a dataset from chunks already in the file, repeated as `layers` equal layers. */
static void cache_begin_dataset(cache_writer *w, const pack_stored *stored, int layers, h5_header *header)
{
    h5_array array = stored->array;
    array.size[0] *= layers;
    array.address = h5_put_index(&w->draft, &(h5_index){&array, stored->chunks, stored->count, layers});
    h5_begin_dataset(header, &array);
}

/* A dataset to be shown in a VTK image. */
typedef struct cache_shown {
    const pack_stored *stored;
    const char *name;            /* in the image */
    int refine;
} cache_shown;

/* How many links the image adds to the dataset. None on a curvilinear grid, which an image cannot represent. */
static int cache_shown_links(const cache_writer *w, int refine)
{
    return !(w->frame->can & FR_FRAME_BENT) && !cache_is_flat(w->frame, refine);
}

static fr_result cache_show(cache_writer *w, const cache_shown *shown, uint64_t dataset)
{
    cache_image *image;
    h5_header layers;
    if (w->frame->can & FR_FRAME_BENT)
        return FR_OK;
    FR_TRY(cache_find_image(w, shown->refine, &image));
    if (cache_is_flat(w->frame, shown->refine)) {
        cache_begin_dataset(w, shown->stored, FLAT_LAYERS, &layers);
        FR_TRY(h5_end(&w->draft, &layers, 1, &dataset));
    }
    h5_put_link(&image->centres, shown->name, dataset);
    return FR_OK;
}

static fr_result cache_put_field(cache_writer *w, int index, const pack_stored *stored)
{
    const fr_field *field = &w->frame->fields[index];
    const int64_t location = field->location, refine = fr_field_refine(w->frame, field);
    bool centred = field->location == FR_AT_CELL;
    char link[16];
    h5_header header;
    uint64_t address;
    snprintf(link, sizeof link, "%04d", index);
    cache_begin_dataset(w, stored, 1, &header);
    h5_put_text(&header, "name", field->name);
    h5_put_text(&header, "unit", field->unit ? field->unit : "");
    h5_put_integers(&header, "location", &location, 1);
    if (refine > 1)
        h5_put_integers(&header, "refine", &refine, 1);
    FR_TRY(h5_end(&w->draft, &header, centred ? 1 + cache_shown_links(w, (int)refine) : 2, &address));
    h5_put_link(&w->fields, link, address);
    if (centred)
        return cache_show(w, &(cache_shown){stored, w->names[index], (int)refine}, address);
    h5_put_link(&w->faces, w->names[index], address);
    return FR_OK;
}

static fr_result cache_pack_field(cache_writer *w, int index)
{
    const fr_field *field = &w->frame->fields[index];
    pack_source source = {.part = {field}, .parts = 1};
    pack_stored stored;
    memcpy(source.size, field->size, sizeof source.size);
    fr_result result = pack_write(&w->draft, &source, &stored);
    if (result == FR_OK)
        result = cache_put_field(w, index, &stored);
    pack_free(&stored);
    return result;
}

/* One coordinate of the nodes. */
static fr_result cache_put_places(cache_writer *w, h5_header *group, int axis)
{
    fr_field places = nodes_field(w->frame, axis);
    pack_source source = {.part = {&places}, .parts = 1};
    pack_stored stored;
    h5_header header;
    uint64_t address;
    memcpy(source.size, places.size, sizeof source.size);
    fr_result result = pack_write(&w->draft, &source, &stored);
    if (result == FR_OK) {
        cache_begin_dataset(w, &stored, 1, &header);
        h5_put_text(&header, "unit", places.unit);
        result = h5_end(&w->draft, &header, 1, &address);
    }
    if (result == FR_OK)
        h5_put_link(group, places.name, address);
    pack_free(&stored);
    return result;
}

static fr_result cache_put_nodes(cache_writer *w)
{
    h5_header group;
    fr_result result = FR_OK;
    h5_begin_group(&group);
    for (int a = 0; a < w->frame->dims && result == FR_OK; a++)
        result = cache_put_places(w, &group, a);
    if (result == FR_OK)
        return h5_end_child(&w->draft, &group, &w->own, "nodes");
    h5_drop(&group);
    return result;
}

static fr_result cache_put_velocity(cache_writer *w, const pack_stored *stored)
{
    h5_header header;
    uint64_t address;
    cache_begin_dataset(w, stored, 1, &header);
    h5_put_text(&header, "unit", "m/s");
    FR_TRY(h5_end(&w->draft, &header, 1 + cache_shown_links(w, 1), &address));
    h5_put_link(&w->own, velocity_name, address);
    return cache_show(w, &(cache_shown){stored, velocity_name, 1}, address);
}

static fr_result cache_pack_velocity(cache_writer *w)
{
    pack_source source = {.parts = 3, .size = {w->frame->cells[0], w->frame->cells[1], w->frame->cells[2]}};
    pack_stored stored;
    bool any = false;
    for (int i = 0; i < w->frame->field_count; i++) {
        const fr_field *field = &w->frame->fields[i];
        int axis = (int)field->location - FR_AT_FACE_X;
        /* a 2D frame has only one layer of faces across z: no mean to take */
        if (axis < 0 || axis >= w->frame->dims || source.part[axis])
            continue;
        source.part[axis] = field;
        any = true;
    }
    if (!any)
        return FR_OK;
    fr_result result = pack_write(&w->draft, &source, &stored);
    if (result == FR_OK)
        result = cache_put_velocity(w, &stored);
    pack_free(&stored);
    return result;
}

static fr_result cache_put_all(cache_writer *w)
{
    cache_image *image;
    h5_begin_group(&w->root);
    h5_begin_group(&w->own);
    h5_begin_group(&w->faces);
    h5_begin_group(&w->fields);
    if (w->frame->can & FR_FRAME_BENT)
        FR_TRY(cache_put_nodes(w));
    else
        FR_TRY(cache_find_image(w, 1, &image));      /* every file has this image */
    FR_TRY(cache_put_frame(w));
    FR_TRY(cache_pack_velocity(w));
    for (int i = 0; i < w->frame->field_count; i++)
        FR_TRY(cache_pack_field(w, i));
    if (w->frame->has_particles)
        FR_TRY(cache_put_particles(&w->draft, w->frame, &w->own));
    return w->frame->body_count > 0 ? cache_put_bodies(&w->draft, w->frame, &w->own) : FR_OK;
}

static fr_result cache_end_image(cache_writer *w, cache_image *image)
{
    char name[32] = "VTKHDF";
    if (image->refine > 1)
        snprintf(name, sizeof name, "VTKHDF_%d", image->refine);
    FR_TRY(h5_end_child(&w->draft, &image->centres, &image->image, "PointData"));
    return h5_end_child(&w->draft, &image->image, &w->root, name);
}

static fr_result cache_finish(cache_writer *w)
{
    uint64_t root;
    for (int i = 0; i < w->image_count; i++)
        FR_TRY(cache_end_image(w, &w->images[i]));
    FR_TRY(h5_end_child(&w->draft, &w->faces, &w->own, "faces"));
    FR_TRY(h5_end_child(&w->draft, &w->fields, &w->own, "fields"));
    FR_TRY(h5_end_child(&w->draft, &w->own, &w->root, "freshet"));
    FR_TRY(h5_end(&w->draft, &w->root, 1, &root));
    h5_finish(&w->draft, root);
    return FR_OK;
}

static fr_result cache_write_draft(cache_writer *w)
{
    w->names = calloc((size_t)w->frame->field_count + 1, sizeof *w->names);
    if (!w->names)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for the names of fields");
    names_of_fields(w->frame, names_taken, w->names);
    h5_create(&w->draft);
    FR_TRY(cache_put_all(w));
    return cache_finish(w);
}

static void cache_drop(cache_writer *w)
{
    h5_drop(&w->root);
    h5_drop(&w->own);
    h5_drop(&w->faces);
    h5_drop(&w->fields);
    for (int i = 0; i < w->image_count; i++) {
        h5_drop(&w->images[i].image);
        h5_drop(&w->images[i].centres);
    }
    free(w->images);
    free(w->names);
}

fr_result fr_cache_write(const char *path, const fr_frame *frame)
{
    cache_writer w = {.frame = frame};
    FR_TRY(cache_check_frame(frame));
    FR_TRY(file_begin(&w.draft, path));
    fr_result result = cache_write_draft(&w);
    cache_drop(&w);
    if (result != FR_OK) {
        file_abandon(&w.draft);
        return result;
    }
    seal_write(&w.draft.bytes, (seal){SEAL_CACHE, frame->index});
    return file_commit(&w.draft, false);
}
