/* NPY files, format version 1.0 (numpy/lib/format.py): a magic string, the length of the header, a Python
   dictionary that describes the array, padded so that the data begin at a multiple of 64 bytes. */
#include <freshet/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/files.h"
#include "io/names.h"

enum { NPY_ALIGNMENT = 64, NPY_PREFIX = 10, NPY_BUFFER = 64 << 10 };

typedef struct npy_array {
    const char *type;        /* of its numbers, in NumPy's words */
    int dims;
    const int64_t *size;     /* x first */
} npy_array;

static void npy_put_header(file_draft *draft, const npy_array *array)
{
    char text[256] = "\x93NUMPY\x01", shape[96];
    const int64_t *n = array->size;
    if (array->dims == 1)
        snprintf(shape, sizeof shape, "(%lld,)", (long long)n[0]);
    else if (array->dims == 2)
        snprintf(shape, sizeof shape, "(%lld, %lld)", (long long)n[1], (long long)n[0]);
    else
        snprintf(shape, sizeof shape, "(%lld, %lld, %lld)", (long long)n[2], (long long)n[1], (long long)n[0]);
    int length = NPY_PREFIX + snprintf(text + NPY_PREFIX, sizeof text - NPY_PREFIX,
        "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", array->type, shape);
    int whole = (length + NPY_ALIGNMENT) / NPY_ALIGNMENT * NPY_ALIGNMENT;
    memset(text + length, ' ', (size_t)(whole - length - 1));
    text[whole - 1] = '\n';
    text[8] = (char)((whole - NPY_PREFIX) & 255);
    text[9] = (char)((whole - NPY_PREFIX) >> 8);
    file_put(draft, text, (size_t)whole);
}

static void npy_encode(unsigned char *p, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 4; i++)
        p[i] = (unsigned char)(bits >> (8 * i));
}

static void npy_put_values(file_draft *draft, const fr_field *field, unsigned char *buffer)
{
    size_t filled = 0;
    for (int64_t k = 0; k < field->size[2]; k++)
        for (int64_t j = 0; j < field->size[1]; j++) {
            const float *row = field->data + j * field->stride[1] + k * field->stride[2];
            for (int64_t i = 0; i < field->size[0]; i++) {
                npy_encode(buffer + filled, row[i * field->stride[0]]);
                filled += 4;
                if (filled == NPY_BUFFER) {
                    file_put(draft, buffer, filled);
                    filled = 0;
                }
            }
        }
    file_put(draft, buffer, filled);
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
    unsigned char buffer[NPY_BUFFER];
    file_draft draft;
    FR_TRY(npy_begin(folder, name, &draft));
    npy_put_header(&draft, &(npy_array){"<f4", dims, field->size});
    npy_put_values(&draft, field, buffer);
    return file_commit(&draft, false);
}

static fr_result npy_write_ids(const char *folder, const char *name, int64_t count, const int64_t *ids)
{
    file_draft draft;
    FR_TRY(npy_begin(folder, name, &draft));
    npy_put_header(&draft, &(npy_array){"<i8", 1, &count});
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
        char name[NAME_LENGTH];
        snprintf(name, sizeof name, "particle_%.100s", frame->attributes[i].name);
        FR_TRY(npy_write_field(folder, name, &row, 1));
    }
    return FR_OK;
}

fr_result fr_npy_write_frame(const char *folder, const fr_frame *frame)
{
    FR_TRY(fr_make_folder(folder));
    name_text *names = calloc((size_t)frame->field_count + 1, sizeof *names);
    if (!names)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for the names of %d fields", frame->field_count);
    names_of_fields(frame, NULL, names);
    fr_result result = FR_OK;
    for (int i = 0; i < frame->field_count && result == FR_OK; i++)
        result = npy_write_field(folder, names[i], &frame->fields[i], frame->dims);
    free(names);
    return result == FR_OK && frame->has_particles ? npy_write_particles(folder, frame) : result;
}
