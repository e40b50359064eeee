#include "io/h5read.h"

#include <stdlib.h>
#include <string.h>

#include "io/numbers.h"

enum { HEADER_MOST = 4 << 20 };   /* most bytes of an object's messages: twice those of 10 000 longest links */

fr_result h5_refuse(const h5_source *h5, const char *what)
{
    return fr_fail(FR_ERROR_FILE, "%s cannot be used: its %s is not valid", h5->path, what);
}

static fr_result h5_lacks(const h5_source *h5, const char *name)
{
    return fr_fail(FR_ERROR_FILE, "%s cannot be used: its '%s' is missing or of another kind", h5->path, name);
}

bool h5_inside(const h5_source *h5, uint64_t address, uint64_t count)
{
    uint64_t size = (uint64_t)h5->bytes.size;
    return address <= size && count <= size - address;
}

fr_result h5_read(h5_source *h5, uint64_t address, void *data, size_t count)
{
    if (!h5_inside(h5, address, count))
        return h5_refuse(h5, "table of contents");
    if (!file_bytes_read(&h5->bytes, (int64_t)address, data, count))
        return fr_fail(FR_ERROR_FILE, "cannot read %s: %s", h5->path, strerror(h5->bytes.error));
    return FR_OK;
}

static fr_result h5_read_superblock(h5_source *h5)
{
    unsigned char found[H5_SUPERBLOCK_BYTES], expected[H5_SUPERBLOCK_BYTES];
    FR_TRY(h5_read(h5, 0, found, sizeof found));
    h5->root = number_load(found + H5_SUPERBLOCK_ROOT, 8);
    h5_store_superblock(expected, (uint64_t)h5->bytes.size, h5->root);
    return memcmp(found, expected, sizeof found) == 0 ? FR_OK : h5_refuse(h5, "beginning");
}

fr_result h5_open(h5_source *h5, const char *path, seal_kind kind)
{
    seal seal;
    *h5 = (h5_source){.bytes = {.fd = -1}, .path = path};
    FR_TRY(file_open(path, &h5->bytes));
    FR_TRY(seal_check(&h5->bytes, path, &seal));
    if (seal.kind != kind)
        return fr_fail(FR_ERROR_FILE, "%s is not a %s file", path, kind == SEAL_CACHE ? "cache" : "checkpoint");
    return h5_read_superblock(h5);
}

void h5_close(h5_source *h5)
{
    file_close(&h5->bytes);
}

static fr_result h5_open_object(h5_source *h5, uint64_t address, h5_object *object)
{
    unsigned char header[H5_HEADER_BYTES];
    *object = (h5_object){0};
    FR_TRY(h5_read(h5, address, header, sizeof header));
    uint64_t count = number_load(header + 8, 4);
    object->address = address + H5_HEADER_BYTES;
    if (header[0] != 1 || count > HEADER_MOST || !h5_inside(h5, object->address, count))
        return h5_refuse(h5, "table of contents");
    object->messages = malloc((size_t)count + 1);
    if (!object->messages)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for the table of contents of %s", h5->path);
    object->count = (size_t)count;
    return h5_read(h5, object->address, object->messages, object->count);
}

fr_result h5_open_root(h5_source *h5, h5_object *root)
{
    return h5_open_object(h5, h5->root, root);
}

void h5_release(h5_object *object)
{
    free(object->messages);
    *object = (h5_object){0};
}

/* One header message and its data. */
typedef struct h5_message {
    int kind;
    const unsigned char *data;
    size_t bytes;
} h5_message;

/* Advances to the next message of that kind; false when there is none. Start with data = NULL. */
static bool h5_next(const h5_object *object, int kind, h5_message *message)
{
    size_t at = message->data ? (size_t)(message->data - object->messages) + message->bytes : 0;
    while (object->count - at >= H5_MESSAGE_BYTES) {
        const unsigned char *p = object->messages + at;
        *message = (h5_message){(int)number_load(p, 2), p + H5_MESSAGE_BYTES, (size_t)number_load(p + 2, 2)};
        at += H5_MESSAGE_BYTES;
        if (message->bytes > object->count - at)
            return false;
        if (message->kind == kind)
            return true;
        at += message->bytes;
    }
    return false;
}

static bool h5_find_child(const h5_object *group, const char *name, uint64_t *address)
{
    size_t length = strlen(name);
    for (h5_message m = {0}; h5_next(group, H5_LINK, &m);) {
        if (m.bytes < H5_LINK_BYTES + length + 8 || m.data[0] != 1 || m.data[1] != 0x10 || m.data[3] != length
            || memcmp(m.data + H5_LINK_BYTES, name, length) != 0)
            continue;
        *address = number_load(m.data + H5_LINK_BYTES + length, 8);
        return true;
    }
    return false;
}

bool h5_has_child(const h5_object *group, const char *name)
{
    uint64_t address;
    return h5_find_child(group, name, &address);
}

fr_result h5_open_child(h5_source *h5, const h5_object *group, const char *name, h5_object *child)
{
    uint64_t address;
    *child = (h5_object){0};
    return h5_find_child(group, name, &address) ? h5_open_object(h5, address, child) : h5_lacks(h5, name);
}

/* The parts of an attribute message. */
typedef struct h5_found {
    const unsigned char *type, *space, *values;
    size_t type_bytes, space_bytes, bytes;
} h5_found;

static bool h5_find(const h5_object *object, const char *name, h5_found *found)
{
    size_t length = strlen(name) + 1;
    for (h5_message m = {0}; h5_next(object, H5_ATTRIBUTE, &m);) {
        if (m.bytes < H5_ATTRIBUTE_BYTES || m.data[0] != 3 || number_load(m.data + 2, 2) != length)
            continue;
        found->type_bytes = (size_t)number_load(m.data + 4, 2);
        found->space_bytes = (size_t)number_load(m.data + 6, 2);
        size_t taken = H5_ATTRIBUTE_BYTES + length + found->type_bytes + found->space_bytes;
        if (m.bytes < taken || memcmp(m.data + H5_ATTRIBUTE_BYTES, name, length) != 0)
            continue;
        found->type = m.data + H5_ATTRIBUTE_BYTES + length;
        found->space = found->type + found->type_bytes;
        found->values = found->space + found->space_bytes;
        found->bytes = m.bytes - taken;
        return true;
    }
    return false;
}

bool h5_has_attribute(const h5_object *object, const char *name)
{
    h5_found found;
    return h5_find(object, name, &found);
}

static bool h5_same(const unsigned char *found, size_t count, const unsigned char *expected, size_t expected_count)
{
    return count == expected_count && memcmp(found, expected, count) == 0;
}

static bool h5_has_space(const h5_found *found, int rank, int64_t count)
{
    unsigned char space[H5_SPACE_BYTES];
    return h5_same(found->space, found->space_bytes, space, h5_store_space(space, rank, &count));
}

static fr_result h5_get_numbers(const h5_source *h5, const h5_object *at, const char *name, h5_type type, void *values,
                                int count)
{
    h5_found found;
    unsigned char expected[H5_TYPE_BYTES];
    if (!h5_find(at, name, &found) || !h5_has_space(&found, 1, count) || found.bytes / 8 < (size_t)count
        || !h5_same(found.type, found.type_bytes, expected, h5_store_type(expected, type)))
        return h5_lacks(h5, name);
    memcpy(values, found.values, (size_t)count * 8);
    numbers_swap(values, (size_t)count, 8);
    return FR_OK;
}

fr_result h5_get_integers(const h5_source *h5, const h5_object *at, const char *name, int64_t *values, int count)
{
    return h5_get_numbers(h5, at, name, H5_INT64, values, count);
}

fr_result h5_get_reals(const h5_source *h5, const h5_object *at, const char *name, double *values, int count)
{
    return h5_get_numbers(h5, at, name, H5_FLOAT64, values, count);
}

fr_result h5_get_text(const h5_source *h5, const h5_object *at, const char *name, arena *arena, const char **text)
{
    h5_found found;
    unsigned char ascii[H5_TYPE_BYTES], utf8[H5_TYPE_BYTES];
    if (!h5_find(at, name, &found) || !h5_has_space(&found, 0, 0) || found.type_bytes != 8)
        return h5_lacks(h5, name);
    size_t bytes = (size_t)number_load(found.type + 4, 4);
    h5_store_text_type(ascii, bytes, true);
    h5_store_text_type(utf8, bytes, false);
    if (bytes > found.bytes || (memcmp(found.type, ascii, 8) != 0 && memcmp(found.type, utf8, 8) != 0))
        return h5_lacks(h5, name);
    char *copy = arena_alloc(arena, bytes + 1);
    if (!copy)
        return FR_ERROR_MEMORY;
    memcpy(copy, found.values, bytes);
    *text = copy;
    return FR_OK;
}

static bool h5_find_type(const h5_object *dataset, h5_type *type)
{
    h5_message m = {0};
    unsigned char expected[H5_TYPE_BYTES];
    if (!h5_next(dataset, H5_TYPE, &m))
        return false;
    for (*type = H5_FLOAT32; *type <= H5_INT64; (*type)++) {
        size_t bytes = h5_store_type(expected, *type);
        if (h5_same(m.data, m.bytes < bytes ? m.bytes : bytes, expected, bytes))
            return true;
    }
    return false;
}

static bool h5_find_space(const h5_object *dataset, h5_array *array)
{
    h5_message m = {0};
    unsigned char expected[H5_SPACE_BYTES];
    if (!h5_next(dataset, H5_SPACE, &m) || m.bytes < 8 || m.data[1] < 1 || m.data[1] > H5_RANK_MOST)
        return false;
    array->rank = m.data[1];
    if (m.bytes != 8 + 8 * (size_t)array->rank)
        return false;
    for (int a = 0; a < array->rank; a++) {
        uint64_t size = number_load(m.data + 8 + 8 * a, 8);
        if (size > INT64_MAX)
            return false;
        array->size[a] = (int64_t)size;
    }
    h5_store_space(expected, array->rank, array->size);
    return memcmp(m.data, expected, m.bytes) == 0;
}

/* The size of the array in bytes; false on overflow. */
static bool h5_array_bytes(const h5_array *array, uint64_t *bytes)
{
    *bytes = h5_type_size(array->type);
    for (int a = 0; a < array->rank; a++) {
        if (array->size[a] > 0 && *bytes > INT64_MAX / (uint64_t)array->size[a])
            return false;
        *bytes *= (uint64_t)array->size[a];
    }
    return true;
}

static bool h5_find_bytes(const h5_source *h5, const h5_message *m, h5_array *array)
{
    uint64_t bytes;
    if (m->bytes < 18 || !h5_array_bytes(array, &bytes) || number_load(m->data + 10, 8) != bytes)
        return false;
    array->address = number_load(m->data + 2, 8);
    return bytes == 0 || h5_inside(h5, array->address, bytes);
}

static bool h5_find_tree(const h5_object *dataset, const h5_message *m, h5_array *array)
{
    h5_message filters = {0};
    unsigned char expected[H5_FILTERS_BYTES];
    if (array->rank < 3 || m->bytes < 15 + 4 * (size_t)array->rank || m->data[2] != array->rank + 1
        || number_load(m->data + 11 + 4 * array->rank, 4) != h5_type_size(array->type))
        return false;
    array->address = number_load(m->data + 3, 8);
    for (int a = 0; a < array->rank; a++) {
        array->chunk[a] = (int64_t)number_load(m->data + 11 + 4 * a, 4);
        if (array->chunk[a] == 0 || array->size[a] == 0)
            return false;
    }
    h5_store_filters(expected);
    return h5_next(dataset, H5_FILTERS, &filters) && filters.bytes >= H5_FILTERS_BYTES
        && memcmp(filters.data, expected, H5_FILTERS_BYTES) == 0;
}

fr_result h5_get_array(const h5_source *h5, const h5_object *dataset, h5_array *array)
{
    h5_message m = {0};
    *array = (h5_array){0};
    bool found = h5_find_type(dataset, &array->type) && h5_find_space(dataset, array) && h5_next(dataset, H5_LAYOUT, &m)
        && m.bytes >= 2 && m.data[0] == 3
        && (m.data[1] == 1 ? h5_find_bytes(h5, &m, array) : m.data[1] == 2 && h5_find_tree(dataset, &m, array));
    return found ? FR_OK : h5_refuse(h5, "size or type of a dataset");
}

fr_result h5_get_values(h5_source *h5, const h5_array *array, void *values)
{
    uint64_t bytes;
    if (!h5_array_bytes(array, &bytes) || bytes > SIZE_MAX)
        return h5_refuse(h5, "size of a dataset");
    FR_TRY(bytes > 0 ? h5_read(h5, array->address, values, (size_t)bytes) : FR_OK);
    numbers_swap(values, (size_t)bytes / h5_type_size(array->type), h5_type_size(array->type));
    return FR_OK;
}
