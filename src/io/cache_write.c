#ifdef FR_HAVE_HDF5
#include <freshet/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/cache.h"
#include "io/names.h"
#include "io/nodes.h"
#include "io/pack.h"

static const char velocity_name[] = "velocity";
static const char *const names_taken[] = {velocity_name, NULL};

enum { FLAT_LAYERS = 2 };

typedef struct cache_writer {
    h5_file h5;
    const fr_frame *frame;
    name_text *names;
    hid_t own, faces, fields;    /* groups */
} cache_writer;

/* Whether an image that is `refine` times as fine as the frame has one layer only. */
static bool cache_is_flat(const fr_frame *frame, int refine)
{
    return (frame->dims == 3 ? refine : 1) * frame->cells[2] == 1;
}

static fr_result cache_check_frame(const fr_frame *frame)
{
    const char *trouble = cache_grid_trouble(frame);
    if (trouble)
        return fr_fail(FR_ERROR_INPUT, "the frame cannot be cached: its %s makes no sense", trouble);
    if (frame->field_count > CACHE_FIELDS_MOST)
        return fr_fail(FR_ERROR_INPUT, "%d fields are too many to cache: at most %d", frame->field_count,
                       CACHE_FIELDS_MOST);
    if (frame->attribute_count > CACHE_FIELDS_MOST)
        return fr_fail(FR_ERROR_INPUT, "%d attributes of particles are too many to cache: at most %d", frame->attribute_count,
                       CACHE_FIELDS_MOST);
    for (int i = 0; i < frame->field_count; i++) {
        const fr_field *field = &frame->fields[i];
        int refine = fr_field_refine(frame, field);
        if (refine < 1 || refine > CACHE_REFINE_MOST)
            return fr_fail(FR_ERROR_INPUT, "field '%.100s' cannot be cached: its size does not fit the frame's cells",
                           field->name);
    }
    for (int i = 0; i < frame->ledger.count; i++)
        if (strchr(frame->ledger.names[i], '\n'))
            return fr_fail(FR_ERROR_INPUT, "a ledger column cannot be cached: its name has a line break");
    return FR_OK;
}

static fr_result cache_make_groups(cache_writer *w)
{
    FR_TRY(h5_make_group(&w->h5, w->h5.file, "freshet", &w->own));
    FR_TRY(h5_make_group(&w->h5, w->own, "faces", &w->faces));
    return h5_make_group(&w->h5, w->own, "fields", &w->fields);
}

static fr_result cache_put_vtk(cache_writer *w, hid_t image, int refine)
{
    const fr_frame *f = w->frame;
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
    FR_TRY(h5_put_integers(&w->h5, image, "Version", version, 2));
    FR_TRY(h5_put_text(&w->h5, image, "Type", "ImageData"));
    FR_TRY(h5_put_integers(&w->h5, image, "WholeExtent", extent, 6));
    FR_TRY(h5_put_reals(&w->h5, image, "Origin", origin, 3));
    FR_TRY(h5_put_reals(&w->h5, image, "Spacing", spacing, 3));
    return h5_put_reals(&w->h5, image, "Direction", direction, 9);
}

/* The group for the fields of an image that is `refine` times as fine as the frame, made when it is not there yet. */
static fr_result cache_find_image(cache_writer *w, int refine, hid_t *centres)
{
    char name[32] = "VTKHDF";
    hid_t image;
    if (refine > 1)
        snprintf(name, sizeof name, "VTKHDF_%d", refine);
    bool there = H5Lexists(w->h5.file, name, H5P_DEFAULT) > 0;
    FR_TRY((there ? h5_open_group : h5_make_group)(&w->h5, w->h5.file, name, &image));
    FR_TRY((there ? h5_open_group : h5_make_group)(&w->h5, image, "PointData", centres));
    return there ? FR_OK : cache_put_vtk(w, image, refine);
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
    fr_result result = h5_put_text(&w->h5, w->own, "ledger_names", names);
    free(names);
    return result == FR_OK ? h5_put_reals(&w->h5, w->own, "ledger_values", ledger->values, ledger->count) : result;
}

static fr_result cache_put_frame(cache_writer *w)
{
    const fr_frame *f = w->frame;
    const int64_t format = CACHE_FORMAT, index = f->index, dims = f->dims, count = f->field_count;
    const int64_t cells[3] = {f->cells[0], f->cells[1], f->cells[2]}, obstacles = f->has_obstacles;
    const int64_t periodic[3] = {f->periodic[0], f->periodic[1], f->periodic[2]};
    FR_TRY(h5_put_integers(&w->h5, w->own, "format", &format, 1));
    FR_TRY(h5_put_integers(&w->h5, w->own, "frame", &index, 1));
    FR_TRY(h5_put_reals(&w->h5, w->own, "time", &f->time, 1));
    FR_TRY(h5_put_integers(&w->h5, w->own, "dims", &dims, 1));
    FR_TRY(h5_put_integers(&w->h5, w->own, "cells", cells, 3));
    FR_TRY(h5_put_reals(&w->h5, w->own, "origin", f->origin, 3));
    FR_TRY(h5_put_reals(&w->h5, w->own, "spacing", f->spacing, 3));
    FR_TRY(h5_put_integers(&w->h5, w->own, "periodic", periodic, 3));
    FR_TRY(h5_put_integers(&w->h5, w->own, "has_obstacles", &obstacles, 1));
    FR_TRY(h5_put_integers(&w->h5, w->own, "fields", &count, 1));
    return f->ledger.count > 0 ? cache_put_ledger(w) : FR_OK;
}

/* A dataset that VTK is to see. */
typedef struct cache_shown {
    const char *stored, *name;    /* its path, and its name in the image */
    int refine, components;
} cache_shown;

static hid_t cache_make_layers(const cache_writer *w, hid_t centres, const cache_shown *shown)
{
    int64_t size[3];
    cache_field_size(w->frame, FR_AT_CELL, shown->refine, size);
    const hsize_t all[4] = {FLAT_LAYERS, (hsize_t)size[1], (hsize_t)size[0], (hsize_t)shown->components};
    const hsize_t one[4] = {1, all[1], all[2], all[3]};
    int rank = shown->components > 1 ? 4 : 3;
    hid_t to = H5Screate_simple(rank, all, NULL), from = H5Screate_simple(rank, one, NULL);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE), dataset = -1;
    bool mapped = H5Pset_obj_track_times(creation, false) >= 0;
    for (hsize_t layer = 0; layer < FLAT_LAYERS; layer++) {
        const hsize_t begin[4] = {layer};
        mapped = mapped && H5Sselect_hyperslab(to, H5S_SELECT_SET, begin, NULL, one, NULL) >= 0
            && H5Pset_virtual(creation, to, ".", shown->stored, from) >= 0;
    }
    if (mapped && H5Sselect_all(to) >= 0)
        dataset = H5Dcreate2(centres, shown->name, H5T_NATIVE_FLOAT, to, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Sclose(to);
    H5Sclose(from);
    H5Pclose(creation);
    return dataset;
}

static fr_result cache_show(cache_writer *w, const cache_shown *shown)
{
    hid_t centres;
    if (w->frame->nodes.data)
        return FR_OK;      /* an image would put it in the wrong places */
    FR_TRY(cache_find_image(w, shown->refine, &centres));
    if (!cache_is_flat(w->frame, shown->refine)) {
        herr_t linked = H5Lcreate_hard(w->h5.file, shown->stored, centres, shown->name, H5P_DEFAULT, H5P_DEFAULT);
        return linked < 0 ? h5_fail(&w->h5, "write", shown->name) : FR_OK;
    }
    hid_t dataset = cache_make_layers(w, centres, shown);
    return dataset < 0 || H5Dclose(dataset) < 0 ? h5_fail(&w->h5, "write", shown->name) : FR_OK;
}

static fr_result cache_put_field(cache_writer *w, int index)
{
    const fr_field *field = &w->frame->fields[index];
    const int64_t location = field->location, refine = fr_field_refine(w->frame, field);
    pack_source source = {.part = {field}, .parts = 1};
    memcpy(source.size, field->size, sizeof source.size);
    hid_t dataset;
    char stored[40];
    snprintf(stored, sizeof stored, "/freshet/fields/%04d", index);
    FR_TRY(pack_dataset(&w->h5, w->h5.file, stored, &source, &dataset));
    FR_TRY(h5_put_text(&w->h5, dataset, "name", field->name));
    FR_TRY(h5_put_text(&w->h5, dataset, "unit", field->unit ? field->unit : ""));
    FR_TRY(h5_put_integers(&w->h5, dataset, "location", &location, 1));
    if (refine > 1)
        FR_TRY(h5_put_integers(&w->h5, dataset, "refine", &refine, 1));
    if (H5Dclose(dataset) < 0)
        return h5_fail(&w->h5, "write", w->names[index]);
    if (field->location == FR_AT_CELL)
        return cache_show(w, &(cache_shown){stored, w->names[index], (int)refine, 1});
    herr_t linked = H5Lcreate_hard(w->h5.file, stored, w->faces, w->names[index], H5P_DEFAULT, H5P_DEFAULT);
    return linked < 0 ? h5_fail(&w->h5, "write", w->names[index]) : FR_OK;
}

static fr_result cache_put_nodes(cache_writer *w)
{
    hid_t group, dataset;
    FR_TRY(h5_make_group(&w->h5, w->own, "nodes", &group));
    for (int a = 0; a < w->frame->dims; a++) {
        fr_field places = nodes_field(w->frame, a);
        pack_source source = {.part = {&places}, .parts = 1};
        memcpy(source.size, places.size, sizeof source.size);
        FR_TRY(pack_dataset(&w->h5, group, places.name, &source, &dataset));
        FR_TRY(h5_put_text(&w->h5, dataset, "unit", places.unit));
        if (H5Dclose(dataset) < 0)
            return h5_fail(&w->h5, "write", places.name);
    }
    return H5Gclose(group) < 0 ? h5_fail(&w->h5, "write", "nodes") : FR_OK;
}

static fr_result cache_put_velocity(cache_writer *w)
{
    pack_source source = {.parts = 3, .size = {w->frame->cells[0], w->frame->cells[1], w->frame->cells[2]}};
    hid_t dataset;
    bool any = false;
    for (int i = 0; i < w->frame->field_count; i++) {
        const fr_field *field = &w->frame->fields[i];
        int axis = (int)field->location - FR_AT_FACE_X;
        /* the faces across z of a 2D frame are one layer: nothing to take the mean of */
        if (axis < 0 || axis >= w->frame->dims || source.part[axis])
            continue;
        source.part[axis] = field;
        any = true;
    }
    if (!any)
        return FR_OK;
    FR_TRY(pack_dataset(&w->h5, w->own, velocity_name, &source, &dataset));
    FR_TRY(h5_put_text(&w->h5, dataset, "unit", "m/s"));
    if (H5Dclose(dataset) < 0)
        return h5_fail(&w->h5, "write", velocity_name);
    return cache_show(w, &(cache_shown){"/freshet/velocity", velocity_name, 1, 3});
}

/* A number or a few for every particle; `dataset` is left open. */
typedef struct cache_table {
    const char *name;
    hid_t type;
    hsize_t columns;             /* 1: the dataset has no second index */
    const void *values;
} cache_table;

static fr_result cache_put_table(cache_writer *w, hid_t group, const cache_table *table, hid_t *dataset)
{
    const hsize_t size[2] = {(hsize_t)w->frame->particle_count, table->columns};
    hid_t space = H5Screate_simple(table->columns > 1 ? 2 : 1, size, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
    *dataset = -1;
    /* without times: the same frame makes the same file */
    if (H5Pset_obj_track_times(creation, false) >= 0)
        *dataset = H5Dcreate2(group, table->name, table->type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    bool written = *dataset >= 0
        && (size[0] == 0 || H5Dwrite(*dataset, table->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, table->values) >= 0);
    H5Sclose(space);
    H5Pclose(creation);
    return written ? FR_OK : h5_fail(&w->h5, "write", table->name);
}

static fr_result cache_put_vectors(cache_writer *w, hid_t group, const char *name, fr_vectors vectors)
{
    const fr_field table = {.size = {3, w->frame->particle_count, 1}, .stride = {1, vectors.stride, 0}, .data = vectors.data};
    float *dense = malloc((size_t)w->frame->particle_count * 3 * sizeof *dense + 1);
    hid_t dataset;
    if (!dense)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room to write %lld particles", (long long)w->frame->particle_count);
    fr_field_copy(&table, dense);
    fr_result result = cache_put_table(w, group, &(cache_table){name, H5T_NATIVE_FLOAT, 3, dense}, &dataset);
    free(dense);
    FR_TRY(result);
    return H5Dclose(dataset) < 0 ? h5_fail(&w->h5, "write", name) : FR_OK;
}

static fr_result cache_put_attribute(cache_writer *w, hid_t group, int index)
{
    const fr_attribute *attribute = &w->frame->attributes[index];
    hid_t dataset;
    char link[16];
    snprintf(link, sizeof link, "%04d", index);
    FR_TRY(cache_put_table(w, group, &(cache_table){link, H5T_NATIVE_FLOAT, 1, attribute->data}, &dataset));
    FR_TRY(h5_put_text(&w->h5, dataset, "name", attribute->name));
    FR_TRY(h5_put_text(&w->h5, dataset, "unit", attribute->unit ? attribute->unit : ""));
    return H5Dclose(dataset) < 0 ? h5_fail(&w->h5, "write", attribute->name) : FR_OK;
}

static fr_result cache_put_attributes(cache_writer *w, hid_t particles)
{
    const int64_t count = w->frame->attribute_count;
    hid_t group;
    FR_TRY(h5_put_integers(&w->h5, particles, "attributes", &count, 1));
    FR_TRY(h5_make_group(&w->h5, particles, "attributes", &group));
    for (int i = 0; i < count; i++)
        FR_TRY(cache_put_attribute(w, group, i));
    return H5Gclose(group) < 0 ? h5_fail(&w->h5, "write", "attributes") : FR_OK;
}

static fr_result cache_put_particles(cache_writer *w)
{
    const fr_frame *f = w->frame;
    hid_t group, ids;
    FR_TRY(h5_make_group(&w->h5, w->own, "particles", &group));
    FR_TRY(cache_put_vectors(w, group, "position", f->particles));
    FR_TRY(cache_put_vectors(w, group, "velocity", f->particle_velocity));
    if (f->particle_ids) {
        FR_TRY(cache_put_table(w, group, &(cache_table){"id", H5T_NATIVE_INT64, 1, f->particle_ids}, &ids));
        if (H5Dclose(ids) < 0)
            return h5_fail(&w->h5, "write", "id");
    }
    if (f->particle_spacing > 0)
        FR_TRY(h5_put_reals(&w->h5, group, "spacing", &f->particle_spacing, 1));
    if (f->attribute_count > 0)
        FR_TRY(cache_put_attributes(w, group));
    return H5Gclose(group) < 0 ? h5_fail(&w->h5, "write", "particles") : FR_OK;
}

static fr_result cache_put_all(cache_writer *w)
{
    FR_TRY(cache_make_groups(w));
    hid_t centres;
    if (w->frame->nodes.data)
        FR_TRY(cache_put_nodes(w));
    else
        FR_TRY(cache_find_image(w, 1, &centres));      /* there whatever the fields are */
    FR_TRY(cache_put_frame(w));
    FR_TRY(cache_put_velocity(w));
    for (int i = 0; i < w->frame->field_count; i++)
        FR_TRY(cache_put_field(w, i));
    return w->frame->has_particles ? cache_put_particles(w) : FR_OK;
}

static fr_result cache_write_draft(cache_writer *w, file_draft *draft)
{
    fr_result result = h5_create(&w->h5, draft);
    if (result == FR_OK)
        result = cache_put_all(w);
    /* a failure to close must not hide the message of an earlier one */
    if (result != FR_OK) {
        h5_close(&w->h5);
        return result;
    }
    return h5_close(&w->h5);
}

fr_result fr_cache_write(const char *path, const fr_frame *frame)
{
    file_draft draft;
    cache_writer w = {.frame = frame};
    FR_TRY(cache_check_frame(frame));
    FR_TRY(file_begin(&draft, path));
    w.names = calloc((size_t)frame->field_count + 1, sizeof *w.names);
    fr_result result = w.names ? FR_OK : fr_fail(FR_ERROR_MEMORY, "out of memory: no room for the names of fields");
    if (w.names) {
        names_of_fields(frame, names_taken, w.names);
        result = cache_write_draft(&w, &draft);
        free(w.names);
    }
    if (result != FR_OK) {
        file_abandon(&draft);
        return result;
    }
    seal_write(&draft.bytes, (seal){SEAL_CACHE, frame->index});
    return file_commit(&draft, false);
}
#endif
