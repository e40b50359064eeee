#include <freshet/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/cache.h"
#include "io/cache_bodies.h"
#include "io/cache_table.h"
#include "io/nodes.h"
#include "io/pack.h"

struct fr_cached_frame {
    fr_frame frame;
    fr_field *fields;
    float *vectors[2];       /* particles: position, velocity */
    float *nodes;
    int64_t *ids;
    fr_attribute *attributes;
    fr_body_state *bodies;
    arena texts;             /* names, units, the ledger */
};

typedef struct cache_reader {
    h5_source h5;
    fr_cached_frame *cached;
    double samples;          /* of all fields read so far */
} cache_reader;

/* Reads an object. The meaning of `index` is up to the visitor. */
typedef fr_result (*cache_visitor)(cache_reader *r, const h5_object *object, int index);

static fr_result cache_visit(cache_reader *r, const h5_object *group, const char *name, cache_visitor visitor,
                             int index)
{
    h5_object child;
    fr_result result = h5_open_child(&r->h5, group, name, &child);
    if (result == FR_OK)
        result = visitor(r, &child, index);
    h5_release(&child);
    return result;
}

static fr_result cache_visit_number(cache_reader *r, const h5_object *group, cache_visitor visitor, int index)
{
    char name[16];
    snprintf(name, sizeof name, "%04d", index);
    return cache_visit(r, group, name, visitor, index);
}

static fr_result cache_get_grid(const h5_source *h5, const h5_object *own, fr_frame *f)
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
    return trouble ? h5_refuse(h5, trouble) : FR_OK;
}

static fr_result cache_get_ledger(const h5_source *h5, const h5_object *own, fr_cached_frame *cached)
{
    const char *text;
    int count = 0;
    if (!h5_has_attribute(own, "ledger_names"))
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

/* Checks the total number of samples before memory is allocated: a small file can claim to have many zeros. */
static fr_result cache_count(cache_reader *r, double samples)
{
    r->samples += samples;
    if (r->samples > CACHE_SAMPLES_MOST || samples * sizeof(float) >= (double)(SIZE_MAX / 2))
        return h5_refuse(&r->h5, "size of a field");
    return FR_OK;
}

static fr_result cache_get_samples(cache_reader *r, const h5_object *dataset, fr_field *field)
{
    h5_array array;
    FR_TRY(h5_get_array(&r->h5, dataset, &array));
    bool fits = array.type == H5_FLOAT32 && array.rank == 3 && array.chunk[0] > 0;
    for (int a = 0; a < 3; a++)
        fits = fits && array.size[2 - a] == field->size[a];
    if (!fits)
        return h5_refuse(&r->h5, "size or type of a field");
    FR_TRY(cache_count(r, cache_samples(field->size)));
    field->stride[0] = 1;
    field->stride[1] = (ptrdiff_t)field->size[0];
    field->stride[2] = (ptrdiff_t)(field->size[0] * field->size[1]);
    float *data = MEMORY_NEW(float, field->size[0] * field->size[1] * field->size[2]);
    field->data = data;
    return data ? pack_read(&r->h5, &array, data) : FR_ERROR_MEMORY;
}

/* Reads one coordinate of the nodes, which are interleaved x, y, z. */
static fr_result cache_get_places(cache_reader *r, const h5_object *dataset, int axis)
{
    fr_cached_frame *cached = r->cached;
    fr_field places = nodes_field(&cached->frame, axis);
    places.data = NULL;
    fr_result result = cache_get_samples(r, dataset, &places);
    for (int64_t n = 0; result == FR_OK && n < places.size[0] * places.size[1] * places.size[2]; n++)
        cached->nodes[3 * n + axis] = places.data[n];
    memory_free((void *)places.data);
    return result;
}

static fr_result cache_get_nodes(cache_reader *r, const h5_object *group, int index)
{
    static const char *const names[3] = {"x", "y", "z"};
    (void)index;
    fr_frame *f = &r->cached->frame;
    double count = cache_samples((int64_t[3]){nodes_along(f, 0), nodes_along(f, 1), nodes_along(f, 2)});
    if (3 * count > CACHE_SAMPLES_MOST || 3 * count * sizeof(float) >= (double)(SIZE_MAX / 2))
        return h5_refuse(&r->h5, "number of nodes");
    r->cached->nodes = MEMORY_NEW(float, 3 * (int64_t)count);
    if (!r->cached->nodes)
        return FR_ERROR_MEMORY;
    f->nodes = (fr_vectors){r->cached->nodes, 3};
    for (int a = 0; a < f->dims; a++)
        FR_TRY(cache_visit(r, group, names[a], cache_get_places, a));
    return FR_OK;
}

static fr_result cache_get_size(const h5_source *h5, const h5_object *dataset, const fr_frame *frame, fr_field *field)
{
    int64_t refine = 1;
    if (h5_has_attribute(dataset, "refine"))
        FR_TRY(h5_get_integers(h5, dataset, "refine", &refine, 1));
    if (refine < 1 || refine > (field->location == FR_AT_CELL ? CACHE_REFINE_MOST : 1))
        return h5_refuse(h5, "refinement of a field");
    cache_field_size(frame, field->location, refine, field->size);
    return FR_OK;
}

static fr_result cache_get_field(cache_reader *r, const h5_object *dataset, int index)
{
    fr_cached_frame *cached = r->cached;
    fr_field *field = &cached->fields[index];
    int64_t location;
    FR_TRY(h5_get_text(&r->h5, dataset, "name", &cached->texts, &field->name));
    FR_TRY(h5_get_text(&r->h5, dataset, "unit", &cached->texts, &field->unit));
    FR_TRY(h5_get_integers(&r->h5, dataset, "location", &location, 1));
    if (location < FR_AT_CELL || location > FR_AT_FACE_Z)
        return h5_refuse(&r->h5, "location of a field");
    field->location = (fr_location)location;
    FR_TRY(cache_get_size(&r->h5, dataset, &cached->frame, field));
    return cache_get_samples(r, dataset, field);
}

static fr_result cache_get_fields(cache_reader *r, const h5_object *group, int count)
{
    fr_cached_frame *cached = r->cached;
    cached->fields = ARENA_NEW(&cached->texts, fr_field, count + 1);
    if (!cached->fields)
        return FR_ERROR_MEMORY;
    cached->frame.fields = cached->fields;
    for (int i = 0; i < count; i++) {
        cached->frame.field_count = i + 1;
        FR_TRY(cache_visit_number(r, group, cache_get_field, i));
    }
    return FR_OK;
}

/* One or several numbers per particle. The first table sets the number of particles. The caller frees `values`, also
   after a failure. */
static fr_result cache_get_numbers(cache_reader *r, const h5_object *dataset, h5_type type, int columns, void **values)
{
    int64_t *count = &r->cached->frame.particle_count;
    cache_table table = {.type = type, .columns = columns, .rows = *count};
    fr_result result = cache_get_table(&r->h5, dataset, "particles", &table);
    *values = (void *)table.values;
    *count = table.rows;
    return result;
}

static fr_result cache_get_vectors(cache_reader *r, const h5_object *dataset, int which)
{
    void *values = NULL;
    fr_result result = cache_get_numbers(r, dataset, H5_FLOAT32, 3, &values);
    r->cached->vectors[which] = values;
    return result;
}

static fr_result cache_get_ids(cache_reader *r, const h5_object *dataset, int index)
{
    (void)index;
    void *values = NULL;
    fr_result result = cache_get_numbers(r, dataset, H5_INT64, 1, &values);
    r->cached->frame.particle_ids = r->cached->ids = values;
    return result;
}

static fr_result cache_get_attribute(cache_reader *r, const h5_object *dataset, int index)
{
    fr_attribute *attribute = &r->cached->attributes[index];
    void *values = NULL;
    fr_result result = cache_get_numbers(r, dataset, H5_FLOAT32, 1, &values);
    attribute->data = values;
    FR_TRY(result);
    FR_TRY(h5_get_text(&r->h5, dataset, "name", &r->cached->texts, &attribute->name));
    return h5_get_text(&r->h5, dataset, "unit", &r->cached->texts, &attribute->unit);
}

static fr_result cache_get_attributes(cache_reader *r, const h5_object *group, int count)
{
    fr_cached_frame *cached = r->cached;
    cached->attributes = ARENA_NEW(&cached->texts, fr_attribute, count + 1);
    if (!cached->attributes)
        return FR_ERROR_MEMORY;
    cached->frame.attributes = cached->attributes;
    for (int i = 0; i < count; i++) {
        cached->frame.attribute_count = i + 1;
        FR_TRY(cache_visit_number(r, group, cache_get_attribute, i));
    }
    return FR_OK;
}

static fr_result cache_get_spacing(const h5_source *h5, const h5_object *particles, double *spacing)
{
    FR_TRY(h5_get_reals(h5, particles, "spacing", spacing, 1));
    return *spacing > 0 && isfinite(*spacing) ? FR_OK : h5_refuse(h5, "spacing of particles");
}

static fr_result cache_get_particles(cache_reader *r, const h5_object *group, int index)
{
    (void)index;
    fr_frame *f = &r->cached->frame;
    int64_t count;
    f->has_particles = true;
    f->particle_count = -1;
    FR_TRY(cache_visit(r, group, "position", cache_get_vectors, 0));
    FR_TRY(cache_visit(r, group, "velocity", cache_get_vectors, 1));
    f->particles = (fr_vectors){r->cached->vectors[0], 3};
    f->particle_velocity = (fr_vectors){r->cached->vectors[1], 3};
    if (h5_has_child(group, "id"))
        FR_TRY(cache_visit(r, group, "id", cache_get_ids, 0));
    if (h5_has_attribute(group, "spacing"))
        FR_TRY(cache_get_spacing(&r->h5, group, &f->particle_spacing));
    if (!h5_has_attribute(group, "attributes"))
        return FR_OK;
    FR_TRY(h5_get_integers(&r->h5, group, "attributes", &count, 1));
    if (count < 0 || count > CACHE_FIELDS_MOST)
        return h5_refuse(&r->h5, "number of attributes");
    return cache_visit(r, group, "attributes", cache_get_attributes, (int)count);
}

static fr_result cache_get_all_bodies(cache_reader *r, const h5_object *group, int unused)
{
    (void)unused;
    fr_cached_frame *cached = r->cached;
    fr_result result = cache_get_bodies(&r->h5, group, &cached->bodies, &cached->frame.body_count);
    cached->frame.bodies = cached->bodies;
    return result;
}

/* The abilities that the file's content allows a frame to have: nobody may look for nodes, fields or particles that are
   not there. */
static uint32_t cache_allows(const fr_frame *f)
{
    bool spheres = f->attribute_count > 0 && !strcmp(f->attributes[0].name, "radius");
    uint32_t can = FR_FRAME_RELATIVE_PRESSURE;
    can |= f->nodes.data ? FR_FRAME_BENT : 0;
    can |= f->has_particles ? FR_FRAME_CARRIED_PARTICLES : 0;
    can |= f->has_particles && f->particle_spacing > 0 ? FR_FRAME_LIQUID : 0;
    can |= f->has_particles && spheres ? FR_FRAME_LEVEL_PARTICLES : 0;
    can |= fr_frame_field(f, "density") ? FR_FRAME_SMOKE : 0;
    can |= fr_frame_field(f, "level_set") ? FR_FRAME_SURFACE : 0;
    return can;
}

static fr_result cache_get_abilities(const h5_source *h5, const h5_object *own, fr_frame *f)
{
    int64_t can;
    FR_TRY(h5_get_integers(h5, own, "can", &can, 1));
    if (can & ~(int64_t)cache_allows(f) || !(can & FR_FRAME_BENT) != !f->nodes.data)
        return h5_refuse(h5, "list of abilities");
    f->can = (uint32_t)can;
    return FR_OK;
}

static fr_result cache_get_all(cache_reader *r, const h5_object *own, int unused)
{
    (void)unused;
    int64_t format, index, count;
    fr_frame *f = &r->cached->frame;
    FR_TRY(h5_get_integers(&r->h5, own, "format", &format, 1));
    if (format != CACHE_FORMAT)
        return fr_fail(FR_ERROR_FILE, "%s has format %lld; this program knows format %d", r->h5.path, (long long)format,
                       CACHE_FORMAT);
    FR_TRY(h5_get_integers(&r->h5, own, "frame", &index, 1));
    FR_TRY(h5_get_reals(&r->h5, own, "time", &f->time, 1));
    FR_TRY(h5_get_integers(&r->h5, own, "fields", &count, 1));
    if (index < INT_MIN || index > INT_MAX || count < 0 || count > CACHE_FIELDS_MOST)
        return h5_refuse(&r->h5, "frame or number of fields");
    f->index = (int)index;
    FR_TRY(cache_get_grid(&r->h5, own, f));
    if (h5_has_child(own, "nodes"))
        FR_TRY(cache_visit(r, own, "nodes", cache_get_nodes, 0));
    FR_TRY(cache_get_ledger(&r->h5, own, r->cached));
    FR_TRY(cache_visit(r, own, "fields", cache_get_fields, (int)count));
    if (h5_has_child(own, "particles"))
        FR_TRY(cache_visit(r, own, "particles", cache_get_particles, 0));
    if (h5_has_child(own, "bodies"))
        FR_TRY(cache_visit(r, own, "bodies", cache_get_all_bodies, 0));
    return cache_get_abilities(&r->h5, own, f);
}

fr_result fr_cache_read(const char *path, fr_cached_frame **frame)
{
    cache_reader r = {0};
    h5_object root = {0};
    *frame = NULL;
    fr_cached_frame *cached = calloc(1, sizeof *cached);
    if (!cached)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for the frame in %s", path);
    r.cached = cached;
    fr_result result = h5_open(&r.h5, path, SEAL_CACHE);
    if (result == FR_OK)
        result = h5_open_root(&r.h5, &root);
    if (result == FR_OK)
        result = cache_visit(&r, &root, "freshet", cache_get_all, 0);
    h5_release(&root);
    h5_close(&r.h5);
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
    memory_free(frame->bodies);
    for (int i = 0; i < frame->frame.attribute_count; i++)
        memory_free((void *)frame->attributes[i].data);
    arena_free(&frame->texts);
    free(frame);
}
