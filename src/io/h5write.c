#include "io/h5write.h"

#include <stdlib.h>
#include <string.h>

#include "io/numbers.h"

enum { MESSAGES_MOST = 65535, LINK_NAME_MOST = 255, CONSTANT = 1 /* message flag */ };

void h5_create(file_draft *draft)
{
    const unsigned char nothing[H5_SUPERBLOCK_BYTES] = {0};
    file_put(draft, nothing, sizeof nothing);
}

void h5_finish(file_draft *draft, uint64_t root)
{
    unsigned char superblock[H5_SUPERBLOCK_BYTES];
    h5_store_superblock(superblock, (uint64_t)draft->bytes.size, root);
    file_bytes_write(&draft->bytes, 0, superblock, sizeof superblock);
}

uint64_t h5_place(file_draft *draft)
{
    const unsigned char nothing[8] = {0};
    file_put(draft, nothing, (size_t)(-draft->bytes.size & 7));
    return (uint64_t)draft->bytes.size;
}

static bool h5_grow(h5_header *header, size_t bytes)
{
    if (header->room - header->count >= bytes)
        return true;
    size_t room = 2 * header->room + bytes + 1024;
    unsigned char *grown = realloc(header->bytes, room);
    if (!grown) {
        header->trouble = fr_fail(FR_ERROR_MEMORY, "out of memory: no room for the description of a dataset");
        return false;
    }
    header->bytes = grown;
    header->room = room;
    return true;
}

/* Appends a message with zeroed data; returns the data, or NULL after a failure. */
static unsigned char *h5_message(h5_header *header, int kind, size_t bytes)
{
    size_t padded = (bytes + 7) / 8 * 8;
    if (header->trouble != FR_OK)
        return NULL;
    if (padded > H5_MESSAGE_MOST || header->messages == MESSAGES_MOST) {
        header->trouble = fr_fail(
            FR_ERROR_INPUT, "the frame cannot be cached: it has too many fields, or a name or a ledger is too long");
        return NULL;
    }
    if (header->count == 0 && !h5_grow(header, H5_HEADER_BYTES))
        return NULL;
    header->count = header->count ? header->count : H5_HEADER_BYTES;
    if (!h5_grow(header, H5_MESSAGE_BYTES + padded))
        return NULL;
    unsigned char *message = header->bytes + header->count;
    memset(message, 0, H5_MESSAGE_BYTES + padded);
    number_store(message, (uint64_t)kind, 2);
    number_store(message + 2, padded, 2);
    message[4] = kind == H5_TYPE ? CONSTANT : 0;
    header->count += H5_MESSAGE_BYTES + padded;
    header->messages++;
    return message + H5_MESSAGE_BYTES;
}

static void h5_put_message(h5_header *header, int kind, const void *data, size_t bytes)
{
    unsigned char *message = h5_message(header, kind, bytes);
    if (message)
        memcpy(message, data, bytes);
}

void h5_begin_group(h5_header *header)
{
    unsigned char info[18] = {0};
    *header = (h5_header){0};
    number_store(info + 2, H5_NOWHERE, 8);      /* no heap and no B-tree: the links are in the header */
    number_store(info + 10, H5_NOWHERE, 8);
    h5_put_message(header, H5_LINK_INFO, info, sizeof info);
    h5_put_message(header, H5_GROUP_INFO, (unsigned char[2]){0}, 2);
}

static void h5_put_layout(h5_header *header, const h5_array *array)
{
    unsigned char layout[3 + 8 + 4 * (H5_RANK_MOST + 1)] = {3 /* version */, array->chunk[0] ? 2 : 1};
    if (!array->chunk[0]) {
        uint64_t bytes = h5_type_size(array->type);
        for (int a = 0; a < array->rank; a++)
            bytes *= (uint64_t)array->size[a];
        number_store(layout + 2, array->address, 8);
        number_store(layout + 10, bytes, 8);
        h5_put_message(header, H5_LAYOUT, layout, 18);
        return;
    }
    layout[2] = (unsigned char)(array->rank + 1);
    number_store(layout + 3, array->address, 8);
    for (int a = 0; a < array->rank; a++)
        number_store(layout + 11 + 4 * a, (uint64_t)array->chunk[a], 4);
    number_store(layout + 11 + 4 * array->rank, h5_type_size(array->type), 4);
    h5_put_message(header, H5_LAYOUT, layout, 15 + 4 * (size_t)array->rank);
}

void h5_begin_dataset(h5_header *header, const h5_array *array)
{
    /* version 2; space allocated chunk by chunk (3) or late (2); fill value written if set (2); it is set (1), with a
       size of 0 bytes, which means zero */
    const unsigned char fill[8] = {2, array->chunk[0] ? 3 : 2, 2, 1};
    unsigned char space[H5_SPACE_BYTES], type[H5_TYPE_BYTES], filters[H5_FILTERS_BYTES];
    *header = (h5_header){0};
    h5_put_message(header, H5_SPACE, space, h5_store_space(space, array->rank, array->size));
    h5_put_message(header, H5_TYPE, type, h5_store_type(type, array->type));
    h5_put_message(header, H5_FILL, fill, sizeof fill);
    h5_put_layout(header, array);
    if (array->chunk[0])
        h5_put_message(header, H5_FILTERS, filters, h5_store_filters(filters));
}

static bool h5_is_ascii(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= 128)
            return false;
    return true;
}

void h5_put_link(h5_header *group, const char *name, uint64_t object)
{
    size_t length = strlen(name);
    unsigned char link[H5_LINK_BYTES + LINK_NAME_MOST + 8] = {1 /* version */, 0x10 /* has a character set */,
                                                              !h5_is_ascii(name), (unsigned char)length};
    if (length > LINK_NAME_MOST) {
        group->trouble = group->trouble != FR_OK
                             ? group->trouble
                             : fr_fail(FR_ERROR_INPUT, "the name '%.40s…' is too long to cache", name);
        return;
    }
    memcpy(link + H5_LINK_BYTES, name, length);
    number_store(link + H5_LINK_BYTES + length, object, 8);
    h5_put_message(group, H5_LINK, link, H5_LINK_BYTES + length + 8);
}

/* An attribute's type and size in file format. */
typedef struct h5_value {
    unsigned char type[H5_TYPE_BYTES], space[H5_SPACE_BYTES];
    size_t type_bytes, space_bytes, bytes;
} h5_value;

/* Appends an attribute; returns the memory for its values, or NULL after a failure. */
static unsigned char *h5_put(h5_header *header, const char *name, const h5_value *value)
{
    size_t length = strlen(name) + 1;
    unsigned char *p = h5_message(header, H5_ATTRIBUTE,
                                  H5_ATTRIBUTE_BYTES + length + value->type_bytes + value->space_bytes + value->bytes);
    if (!p)
        return NULL;
    p[0] = 3;                     /* version */
    number_store(p + 2, length, 2);
    number_store(p + 4, value->type_bytes, 2);
    number_store(p + 6, value->space_bytes, 2);
    p += H5_ATTRIBUTE_BYTES;
    memcpy(p, name, length);
    memcpy(p + length, value->type, value->type_bytes);
    memcpy(p + length + value->type_bytes, value->space, value->space_bytes);
    return p + length + value->type_bytes + value->space_bytes;
}

static void h5_put_numbers(h5_header *header, const char *name, h5_type type, const void *values, int count)
{
    h5_value value = {.bytes = (size_t)count * 8};
    value.type_bytes = h5_store_type(value.type, type);
    value.space_bytes = h5_store_space(value.space, 1, (int64_t[1]){count});
    unsigned char *to = h5_put(header, name, &value);
    if (!to)
        return;
    memcpy(to, values, value.bytes);
    numbers_swap(to, (size_t)count, 8);
}

void h5_put_integers(h5_header *header, const char *name, const int64_t *values, int count)
{
    h5_put_numbers(header, name, H5_INT64, values, count);
}

void h5_put_reals(h5_header *header, const char *name, const double *values, int count)
{
    h5_put_numbers(header, name, H5_FLOAT64, values, count);
}

void h5_put_text(h5_header *header, const char *name, const char *text)
{
    h5_value value = {.bytes = strlen(text) + 1};
    /* VTK 9.1 requires its own attributes to be declared as ASCII */
    value.type_bytes = h5_store_text_type(value.type, value.bytes, h5_is_ascii(text));
    value.space_bytes = h5_store_space(value.space, 0, NULL);
    unsigned char *to = h5_put(header, name, &value);
    if (to)
        memcpy(to, text, value.bytes);
}

fr_result h5_end(file_draft *draft, h5_header *header, int links, uint64_t *address)
{
    fr_result result = header->trouble;
    *address = h5_place(draft);
    if (result == FR_OK) {
        unsigned char *p = header->bytes;
        memset(p, 0, H5_HEADER_BYTES);
        p[0] = 1;                 /* version */
        number_store(p + 2, (uint64_t)header->messages, 2);
        number_store(p + 4, (uint64_t)links, 4);
        number_store(p + 8, header->count - H5_HEADER_BYTES, 4);
        file_put(draft, p, header->count);
    }
    h5_drop(header);
    return result;
}

fr_result h5_end_child(file_draft *draft, h5_header *header, h5_header *group, const char *name)
{
    uint64_t address;
    FR_TRY(h5_end(draft, header, 1, &address));
    h5_put_link(group, name, address);
    return FR_OK;
}

void h5_drop(h5_header *header)
{
    free(header->bytes);
    *header = (h5_header){0};
}
