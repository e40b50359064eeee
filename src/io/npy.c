/* NPY files, format version 1.0 (numpy/lib/format.py): a magic string, the length of the header, a Python
   dictionary that describes the array, padded so that the data begin at a multiple of 64 bytes. */
#include <freshet/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/names.h"
#include "io/numbers.h"

enum { NPY_ALIGNMENT = 64, NPY_PREFIX = 10 };

static void npy_put_header(file_draft *draft, const fr_field *field, int dims)
{
    char text[256] = "\x93NUMPY\x01", shape[96];
    const int64_t *n = field->size;
    if (dims == 2)
        snprintf(shape, sizeof shape, "(%lld, %lld)", (long long)n[1], (long long)n[0]);
    else
        snprintf(shape, sizeof shape, "(%lld, %lld, %lld)", (long long)n[2], (long long)n[1], (long long)n[0]);
    int length = NPY_PREFIX + snprintf(text + NPY_PREFIX, sizeof text - NPY_PREFIX,
        "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }", shape);
    int whole = (length + NPY_ALIGNMENT) / NPY_ALIGNMENT * NPY_ALIGNMENT;
    memset(text + length, ' ', (size_t)(whole - length - 1));
    text[whole - 1] = '\n';
    text[8] = (char)((whole - NPY_PREFIX) & 255);
    text[9] = (char)((whole - NPY_PREFIX) >> 8);
    file_put(draft, text, (size_t)whole);
}

static void npy_put_values(file_draft *draft, const fr_field *field)
{
    numbers to = {.draft = draft};
    for (int64_t k = 0; k < field->size[2]; k++)
        for (int64_t j = 0; j < field->size[1]; j++) {
            const float *row = field->data + j * field->stride[1] + k * field->stride[2];
            for (int64_t i = 0; i < field->size[0]; i++)
                numbers_put_float(&to, row[i * field->stride[0]]);
        }
    numbers_flush(&to);
}

static fr_result npy_write_field(const char *folder, const char *name, const fr_field *field, int dims)
{
    char file[NAME_LENGTH + 8], path[FILE_PATH];
    file_draft draft;
    snprintf(file, sizeof file, "%s.npy", name);
    FR_TRY(file_join(path, folder, file));
    FR_TRY(file_begin(&draft, path));
    npy_put_header(&draft, field, dims);
    npy_put_values(&draft, field);
    return file_commit(&draft, false);
}

/* An array of shape (count, 3). */
static fr_result npy_write_vectors(const char *folder, const char *name, int64_t count, fr_vectors vectors)
{
    const fr_field table = {.size = {3, count, 1}, .stride = {1, vectors.stride, 0}, .data = vectors.data};
    return npy_write_field(folder, name, &table, 2);
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
    if (result == FR_OK && frame->has_particles)
        result = npy_write_vectors(folder, "particles", frame->particle_count, frame->particles);
    if (result == FR_OK && frame->has_particles)
        result = npy_write_vectors(folder, "particle_velocity", frame->particle_count, frame->particle_velocity);
    return result;
}
