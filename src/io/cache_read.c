#ifdef FR_HAVE_HDF5
#include <freshet/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/cache.h"
#include "io/h5file.h"
#include "io/nodes.h"

struct fr_cached_frame {
    fr_frame frame;
    fr_field *fields;
    float *vectors[2];       /* particles: position, velocity */
    float *nodes;
    int64_t *ids;
    fr_attribute *attributes;
    arena texts;             /* names, units, the ledger */
};

static fr_result cache_refuse(const h5_file *h5, const char *what)
{
    return fr_fail(FR_ERROR_FILE, "%s cannot be used: its %s makes no sense", h5->path, what);
}

static fr_result cache_get_grid(h5_file *h5, hid_t own, fr_frame *f)
{
    int64_t dims, cells[3], periodic[3], obstacles;
    FR_TRY(h5_get_integers(h5, own, "dims", &dims, 1));
    FR_TRY(h5_get_integers(h5, own, "cells", cells, 3));
    FR_TRY(h5_get_reals(h5, own, "origin", f->origin, 3));
    FR_TRY(h5_get_reals(h5, own, "spacing", f->spacing, 3));
    FR_TRY(h5_get_integers(h5, own, "periodic", periodic, 3));
    FR_TRY(h5_get_integers(h5, own, "has_obstacles", &obstacles, 1));
    f->dims = dims == 2 || dims == 3 ? (int)dims : 0;
    for (int a = 0; a < 3; a++) {
        f->cells[a] = cells[a] > 0 && cells[a] < INT_MAX ? (int)cells[a] : 0;
        f->periodic[a] = periodic[a] != 0;
    }
    f->has_obstacles = obstacles != 0;
    const char *trouble = cache_grid_trouble(f);
    return trouble ? cache_refuse(h5, trouble) : FR_OK;
}

static fr_result cache_get_ledger(h5_file *h5, hid_t own, fr_cached_frame *cached)
{
    const char *text;
    int count = 0;
    if (H5Aexists(own, "ledger_names") <= 0)
        return FR_OK;
    FR_TRY(h5_get_text(h5, own, "ledger_names", &cached->texts, &text));
    for (const char *c = text; *c; c++)
        count += *c == '\n';
    double *values = ARENA_NEW(&cached->texts, double, count + 1);
    const char **names = ARENA_NEW(&cached->texts, const char *, count + 1);
    char *name = arena_strdup(&cached->texts, text);
    if (!values || !names || !name)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < count; i++) {
        names[i] = name;
        name = strchr(name, '\n');
        *name++ = 0;
    }
    FR_TRY(h5_get_reals(h5, own, "ledger_values", values, count));
    cached->frame.ledger = (fr_ledger){count, names, values};
    return FR_OK;
}

static bool cache_shape_fits(hid_t dataset, const int64_t size[3])
{
    hsize_t stored[3] = {0};
    hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    bool fits = H5Sget_simple_extent_ndims(space) == 3 && H5Sget_simple_extent_dims(space, stored, NULL) == 3
        && H5Tequal(type, H5T_IEEE_F32LE) + H5Tequal(type, H5T_IEEE_F32BE) == 1;
    for (int a = 0; a < 3; a++)
        fits = fits && stored[2 - a] == (hsize_t)size[a];
    H5Sclose(space);
    H5Tclose(type);
    return fits;
}

static fr_result cache_get_samples(h5_file *h5, hid_t dataset, fr_field *field)
{
    if (!cache_shape_fits(dataset, field->size))
        return cache_refuse(h5, "size or type of a field");
    double samples = (double)field->size[0] * (double)field->size[1] * (double)field->size[2];
    if (samples * sizeof(float) >= (double)(SIZE_MAX / 2))
        return cache_refuse(h5, "size of a field");
    field->stride[0] = 1;
    field->stride[1] = (ptrdiff_t)field->size[0];
    field->stride[2] = (ptrdiff_t)(field->size[0] * field->size[1]);
    float *data = MEMORY_NEW(float, field->size[0] * field->size[1] * field->size[2]);
    field->data = data;
    if (!data)
        return FR_ERROR_MEMORY;
    if (H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
        return h5_fail(h5, "read", field->name);
    return FR_OK;
}

/* Every third number of the nodes from `axis` on. */
static fr_result cache_get_places(h5_file *h5, hid_t group, int axis, fr_cached_frame *cached)
{
    hid_t dataset;
    fr_field places = nodes_field(&cached->frame, axis);
    places.data = NULL;
    FR_TRY(h5_open_dataset(h5, group, places.name, &dataset));
    fr_result result = cache_get_samples(h5, dataset, &places);
    for (int64_t n = 0; result == FR_OK && n < places.size[0] * places.size[1] * places.size[2]; n++)
        cached->nodes[3 * n + axis] = places.data[n];
    memory_free((void *)places.data);
    FR_TRY(result);
    return H5Dclose(dataset) < 0 ? h5_fail(h5, "read", places.name) : FR_OK;
}

static fr_result cache_get_nodes(h5_file *h5, hid_t own, fr_cached_frame *cached)
{
    fr_frame *f = &cached->frame;
    hid_t group;
    if (H5Lexists(own, "nodes", H5P_DEFAULT) <= 0)
        return FR_OK;
    double count = (double)nodes_along(f, 0) * (double)nodes_along(f, 1) * (double)nodes_along(f, 2);
    if (count * 3 * sizeof(float) >= (double)(SIZE_MAX / 2))
        return cache_refuse(h5, "number of nodes");
    cached->nodes = MEMORY_NEW(float, 3 * (int64_t)count);
    if (!cached->nodes)
        return FR_ERROR_MEMORY;
    f->nodes = (fr_vectors){cached->nodes, 3};
    FR_TRY(h5_open_group(h5, own, "nodes", &group));
    for (int a = 0; a < f->dims; a++)
        FR_TRY(cache_get_places(h5, group, a, cached));
    return FR_OK;
}

static fr_result cache_get_size(h5_file *h5, hid_t dataset, const fr_frame *frame, fr_field *field)
{
    int64_t refine = 1;
    if (H5Aexists(dataset, "refine") > 0)
        FR_TRY(h5_get_integers(h5, dataset, "refine", &refine, 1));
    if (refine < 1 || refine > (field->location == FR_AT_CELL ? CACHE_REFINE_MOST : 1))
        return cache_refuse(h5, "refinement of a field");
    cache_field_size(frame, field->location, refine, field->size);
    return FR_OK;
}

static fr_result cache_get_field(h5_file *h5, hid_t group, int index, fr_cached_frame *cached)
{
    fr_field *field = &cached->fields[index];
    hid_t dataset;
    int64_t location;
    char link[16];
    snprintf(link, sizeof link, "%04d", index);
    FR_TRY(h5_open_dataset(h5, group, link, &dataset));
    FR_TRY(h5_get_text(h5, dataset, "name", &cached->texts, &field->name));
    FR_TRY(h5_get_text(h5, dataset, "unit", &cached->texts, &field->unit));
    FR_TRY(h5_get_integers(h5, dataset, "location", &location, 1));
    if (location < FR_AT_CELL || location > FR_AT_FACE_Z)
        return cache_refuse(h5, "location of a field");
    field->location = (fr_location)location;
    FR_TRY(cache_get_size(h5, dataset, &cached->frame, field));
    FR_TRY(cache_get_samples(h5, dataset, field));
    return H5Dclose(dataset) < 0 ? h5_fail(h5, "read", field->name) : FR_OK;
}

/* A number or a few for every particle: `columns` 1 means no second index. */
typedef struct cache_table {
    const char *name;
    hid_t type;
    hsize_t columns;
    size_t bytes;            /* of one number */
    void *values;            /* once read; the caller's to free, also after a failure */
} cache_table;

/* A table of *count rows, of any number when that is below 0; `dataset` is left open. */
static fr_result cache_get_table(h5_file *h5, hid_t group, cache_table *table, int64_t *count, hid_t *dataset)
{
    FR_TRY(h5_open_dataset(h5, group, table->name, dataset));
    hsize_t size[2] = {0, 1};
    int rank = table->columns > 1 ? 2 : 1;
    hid_t space = H5Dget_space(*dataset);
    bool fits = H5Sget_simple_extent_ndims(space) == rank && H5Sget_simple_extent_dims(space, size, NULL) == rank
        && size[1] == table->columns;
    H5Sclose(space);
    if (!fits || size[0] > SIZE_MAX / 64 || (*count >= 0 && size[0] != (hsize_t)*count))
        return cache_refuse(h5, "number of particles");
    *count = (int64_t)size[0];
    table->values = memory_alloc((size_t)(size[0] * table->columns) * table->bytes);
    if (!table->values)
        return FR_ERROR_MEMORY;
    if (*count > 0 && H5Dread(*dataset, table->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, table->values) < 0)
        return h5_fail(h5, "read", table->name);
    return FR_OK;
}

static fr_result cache_get_vectors(h5_file *h5, hid_t group, const char *name, int64_t *count, float **vectors)
{
    hid_t dataset;
    cache_table table = {name, H5T_NATIVE_FLOAT, 3, sizeof(float), NULL};
    fr_result result = cache_get_table(h5, group, &table, count, &dataset);
    *vectors = table.values;
    FR_TRY(result);
    return H5Dclose(dataset) < 0 ? h5_fail(h5, "read", name) : FR_OK;
}

static fr_result cache_get_ids(h5_file *h5, hid_t group, fr_cached_frame *cached)
{
    hid_t dataset;
    cache_table table = {"id", H5T_NATIVE_INT64, 1, sizeof(int64_t), NULL};
    fr_result result = cache_get_table(h5, group, &table, &cached->frame.particle_count, &dataset);
    cached->frame.particle_ids = cached->ids = table.values;
    FR_TRY(result);
    return H5Dclose(dataset) < 0 ? h5_fail(h5, "read", "id") : FR_OK;
}

static fr_result cache_get_attribute(h5_file *h5, hid_t group, int index, fr_cached_frame *cached)
{
    fr_attribute *attribute = &cached->attributes[index];
    hid_t dataset;
    char link[16];
    snprintf(link, sizeof link, "%04d", index);
    cache_table table = {link, H5T_NATIVE_FLOAT, 1, sizeof(float), NULL};
    fr_result result = cache_get_table(h5, group, &table, &cached->frame.particle_count, &dataset);
    attribute->data = table.values;
    FR_TRY(result);
    FR_TRY(h5_get_text(h5, dataset, "name", &cached->texts, &attribute->name));
    FR_TRY(h5_get_text(h5, dataset, "unit", &cached->texts, &attribute->unit));
    return H5Dclose(dataset) < 0 ? h5_fail(h5, "read", link) : FR_OK;
}

static fr_result cache_get_attributes(h5_file *h5, hid_t particles, fr_cached_frame *cached)
{
    int64_t count;
    hid_t group;
    FR_TRY(h5_get_integers(h5, particles, "attributes", &count, 1));
    if (count < 0 || count > CACHE_FIELDS_MOST)
        return cache_refuse(h5, "number of attributes");
    cached->attributes = ARENA_NEW(&cached->texts, fr_attribute, count + 1);
    if (!cached->attributes)
        return FR_ERROR_MEMORY;
    cached->frame.attributes = cached->attributes;
    FR_TRY(h5_open_group(h5, particles, "attributes", &group));
    for (int i = 0; i < count; i++) {
        cached->frame.attribute_count = i + 1;
        FR_TRY(cache_get_attribute(h5, group, i, cached));
    }
    return FR_OK;
}

static fr_result cache_get_spacing(h5_file *h5, hid_t particles, double *spacing)
{
    FR_TRY(h5_get_reals(h5, particles, "spacing", spacing, 1));
    return *spacing > 0 && isfinite(*spacing) ? FR_OK : cache_refuse(h5, "spacing of particles");
}

static fr_result cache_get_particles(h5_file *h5, hid_t own, fr_cached_frame *cached)
{
    hid_t group;
    fr_frame *f = &cached->frame;
    f->has_particles = H5Lexists(own, "particles", H5P_DEFAULT) > 0;
    if (!f->has_particles)
        return FR_OK;
    f->particle_count = -1;
    FR_TRY(h5_open_group(h5, own, "particles", &group));
    FR_TRY(cache_get_vectors(h5, group, "position", &f->particle_count, &cached->vectors[0]));
    FR_TRY(cache_get_vectors(h5, group, "velocity", &f->particle_count, &cached->vectors[1]));
    f->particles = (fr_vectors){cached->vectors[0], 3};
    f->particle_velocity = (fr_vectors){cached->vectors[1], 3};
    if (H5Lexists(group, "id", H5P_DEFAULT) > 0)
        FR_TRY(cache_get_ids(h5, group, cached));
    if (H5Aexists(group, "spacing") > 0)
        FR_TRY(cache_get_spacing(h5, group, &f->particle_spacing));
    return H5Aexists(group, "attributes") > 0 ? cache_get_attributes(h5, group, cached) : FR_OK;
}

static fr_result cache_get_all(h5_file *h5, fr_cached_frame *cached)
{
    hid_t own, group;
    int64_t format, index, count;
    fr_frame *f = &cached->frame;
    FR_TRY(h5_open_group(h5, h5->file, "freshet", &own));
    FR_TRY(h5_get_integers(h5, own, "format", &format, 1));
    if (format != CACHE_FORMAT)
        return fr_fail(FR_ERROR_FILE, "%s has format %lld; this program knows format %d", h5->path, (long long)format,
                       CACHE_FORMAT);
    FR_TRY(h5_get_integers(h5, own, "frame", &index, 1));
    FR_TRY(h5_get_reals(h5, own, "time", &f->time, 1));
    FR_TRY(h5_get_integers(h5, own, "fields", &count, 1));
    if (index < INT_MIN || index > INT_MAX || count < 0 || count > CACHE_FIELDS_MOST)
        return cache_refuse(h5, "frame or number of fields");
    f->index = (int)index;
    FR_TRY(cache_get_grid(h5, own, f));
    FR_TRY(cache_get_nodes(h5, own, cached));
    FR_TRY(cache_get_ledger(h5, own, cached));
    cached->fields = ARENA_NEW(&cached->texts, fr_field, count + 1);
    if (!cached->fields)
        return FR_ERROR_MEMORY;
    f->fields = cached->fields;
    FR_TRY(h5_open_group(h5, own, "fields", &group));
    for (int i = 0; i < count; i++) {
        f->field_count = i + 1;
        FR_TRY(cache_get_field(h5, group, i, cached));
    }
    return cache_get_particles(h5, own, cached);
}

fr_result fr_cache_read(const char *path, fr_cached_frame **frame)
{
    h5_file h5;
    *frame = NULL;
    fr_cached_frame *cached = calloc(1, sizeof *cached);
    if (!cached)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for the frame in %s", path);
    fr_result result = h5_open(&h5, path, SEAL_CACHE);
    if (result == FR_OK)
        result = cache_get_all(&h5, cached);
    h5_close(&h5);
    if (result == FR_OK)
        *frame = cached;
    else
        fr_cached_frame_destroy(cached);
    return result;
}

const fr_frame *fr_cached_frame_view(const fr_cached_frame *frame)
{
    return &frame->frame;
}

void fr_cached_frame_destroy(fr_cached_frame *frame)
{
    if (!frame)
        return;
    for (int i = 0; i < frame->frame.field_count; i++)
        memory_free((void *)frame->fields[i].data);
    memory_free(frame->vectors[0]);
    memory_free(frame->vectors[1]);
    memory_free(frame->nodes);
    memory_free(frame->ids);
    for (int i = 0; i < frame->frame.attribute_count; i++)
        memory_free((void *)frame->attributes[i].data);
    arena_free(&frame->texts);
    free(frame);
}
#endif
