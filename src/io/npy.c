/* Writes NPY files, format version 1.0 (numpy/lib/format.py): a magic string, the length of the header, and a Python
   dictionary that describes the array, padded so that the data begin at a multiple of 64 bytes. */
#include <freshet/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/names.h"
#include "io/nodes.h"
#include "io/numbers.h"

enum { NPY_ALIGNMENT = 64, NPY_PREFIX = 10 };

enum { NPY_AXES = 4 };

typedef struct npy_array {
    const char *type;        /* NumPy's dtype string */
    int dims;
    int64_t size[NPY_AXES];  /* fastest index first, as opposed to NumPy's shape */
} npy_array;

/* "(4, 3)"; with a single index "(4,)". */
static void npy_shape(const npy_array *array, char *text, size_t room)
{
    size_t used = (size_t)snprintf(text, room, "(");
    for (int a = array->dims - 1; a >= 0; a--)
        used += (size_t)snprintf(text + used, room - used, "%lld%s", (long long)array->size[a], a > 0 ? ", " : "");
    snprintf(text + used, room - used, array->dims == 1 ? ",)" : ")");
}

static void npy_put_header(file_draft *draft, const npy_array *array)
{
    char text[256] = "\x93NUMPY\x01", shape[112];
    npy_shape(array, shape, sizeof shape);
    int length = NPY_PREFIX + snprintf(text + NPY_PREFIX, sizeof text - NPY_PREFIX,
        "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", array->type, shape);
    int whole = (length + NPY_ALIGNMENT) / NPY_ALIGNMENT * NPY_ALIGNMENT;
    memset(text + length, ' ', (size_t)(whole - length - 1));
    text[whole - 1] = '\n';
    text[8] = (char)((whole - NPY_PREFIX) & 255);
    text[9] = (char)((whole - NPY_PREFIX) >> 8);
    file_put(draft, text, (size_t)whole);
}

/* The values of one field, or of several of the same size, interleaved. */
static void npy_put_values(file_draft *draft, const fr_field *const *fields, int count)
{
    numbers to = {.draft = draft};
    for (int64_t k = 0; k < fields[0]->size[2]; k++)
        for (int64_t j = 0; j < fields[0]->size[1]; j++)
            for (int64_t i = 0; i < fields[0]->size[0]; i++)
                for (int n = 0; n < count; n++) {
                    const ptrdiff_t *stride = fields[n]->stride;
                    numbers_put_float(&to, fields[n]->data[i * stride[0] + j * stride[1] + k * stride[2]]);
                }
    numbers_flush(&to);
}

static fr_result npy_begin(const char *folder, const char *name, file_draft *draft)
{
    char file[NAME_LENGTH + 24], path[FILE_PATH];
    snprintf(file, sizeof file, "%s.npy", name);
    FR_TRY(file_join(path, folder, file));
    return file_begin(draft, path);
}

static fr_result npy_write_field(const char *folder, const char *name, const fr_field *field, int dims)
{
    file_draft draft;
    FR_TRY(npy_begin(folder, name, &draft));
    npy_put_header(&draft, &(npy_array){"<f4", dims, {field->size[0], field->size[1], field->size[2]}});
    npy_put_values(&draft, &field, 1);
    return file_commit(&draft, false);
}

static fr_result npy_write_ids(const char *folder, const char *name, int64_t count, const int64_t *ids)
{
    file_draft draft;
    FR_TRY(npy_begin(folder, name, &draft));
    npy_put_header(&draft, &(npy_array){"<i8", 1, {count}});
    for (int64_t n = 0; n < count; n++) {
        unsigned char bytes[8];
        for (int i = 0; i < 8; i++)
            bytes[i] = (unsigned char)((uint64_t)ids[n] >> (8 * i));
        file_put(&draft, bytes, sizeof bytes);
    }
    return file_commit(&draft, false);
}

/* An array of shape (count, 3). */
static fr_result npy_write_vectors(const char *folder, const char *name, int64_t count, fr_vectors vectors)
{
    const fr_field table = {.size = {3, count, 1}, .stride = {1, vectors.stride, 0}, .data = vectors.data};
    return npy_write_field(folder, name, &table, 2);
}

static fr_result npy_write_particles(const char *folder, const fr_frame *frame)
{
    int64_t count = frame->particle_count;
    FR_TRY(npy_write_vectors(folder, "particles", count, frame->particles));
    FR_TRY(npy_write_vectors(folder, "particle_velocity", count, frame->particle_velocity));
    if (frame->particle_ids)
        FR_TRY(npy_write_ids(folder, "particle_id", count, frame->particle_ids));
    for (int i = 0; i < frame->attribute_count; i++) {
        const fr_field row = {.size = {count, 1, 1}, .stride = {1, 0, 0}, .data = frame->attributes[i].data};
        char clean[NAME_ROOM], name[NAME_LENGTH];
        names_clean(frame->attributes[i].name, clean);
        snprintf(name, sizeof name, "particle_%s", clean);
        FR_TRY(npy_write_field(folder, name, &row, 1));
    }
    return FR_OK;
}

/* On a curvilinear grid the velocity is at the cell centres, as one array (…, 2 or 3). */
static fr_result npy_write_velocity(const char *folder, const fr_frame *frame)
{
    const fr_field *parts[3];
    file_draft draft;
    if (!nodes_velocity(frame, parts))
        return FR_OK;
    const int64_t *n = parts[0]->size;
    FR_TRY(npy_begin(folder, "velocity", &draft));
    npy_put_header(&draft, &(npy_array){"<f4", frame->dims + 1, {frame->dims, n[0], n[1], n[2]}});
    npy_put_values(&draft, parts, frame->dims);
    return file_commit(&draft, false);
}

static fr_result npy_write_nodes(const char *folder, const fr_frame *frame)
{
    for (int a = 0; a < frame->dims; a++) {
        fr_field places = nodes_field(frame, a);
        FR_TRY(npy_write_field(folder, places.name, &places, frame->dims));
    }
    return npy_write_velocity(folder, frame);
}

fr_result fr_npy_write_frame(const char *folder, const fr_frame *frame)
{
    static const char *const nodes_names[] = {"x", "y", "z", "velocity", NULL};
    bool bent = frame->can & FR_FRAME_BENT;
    FR_TRY(fr_make_folder(folder));
    name_text *names = calloc((size_t)frame->field_count + 1, sizeof *names);
    if (!names)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for the names of %d fields", frame->field_count);
    names_of_fields(frame, bent ? nodes_names : NULL, names);
    fr_result result = bent ? npy_write_nodes(folder, frame) : FR_OK;
    for (int i = 0; i < frame->field_count && result == FR_OK; i++)
        if (!bent || !nodes_is_velocity(frame, &frame->fields[i]))
            result = npy_write_field(folder, names[i], &frame->fields[i], frame->dims);
    free(names);
    return result == FR_OK && frame->has_particles ? npy_write_particles(folder, frame) : result;
}
