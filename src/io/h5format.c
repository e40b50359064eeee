#include "io/h5format.h"

#include <string.h>

#include "io/numbers.h"

enum {
    CLASS_INTEGER = 0x10, CLASS_FLOAT = 0x11, CLASS_TEXT = 0x13,    /* datatype classes, version 1 */
    FILTER_DEFLATE = 1, FILTER_SHUFFLE = 2, FILTER_OPTIONAL = 1
};

/* The bit layout of an IEEE number. */
typedef struct h5_float {
    unsigned char bytes, sign, exponent_at, exponent_bits, mantissa_bits;
    uint32_t bias;
} h5_float;

size_t h5_type_size(h5_type type)
{
    return type == H5_FLOAT32 ? 4 : 8;
}

static size_t h5_store_float(unsigned char *to, h5_float f)
{
    to[0] = CLASS_FLOAT;
    to[1] = 0x20;                 /* little-endian, the mantissa's leading bit is implied */
    to[2] = f.sign;
    number_store(to + 4, f.bytes, 4);
    number_store(to + 10, 8u * f.bytes, 2);
    to[12] = f.exponent_at;
    to[13] = f.exponent_bits;
    to[15] = f.mantissa_bits;
    number_store(to + 16, f.bias, 4);
    return 20;
}

size_t h5_store_type(unsigned char to[H5_TYPE_BYTES], h5_type type)
{
    memset(to, 0, H5_TYPE_BYTES);
    if (type == H5_FLOAT32)
        return h5_store_float(to, (h5_float){4, 31, 23, 8, 23, 127});
    if (type == H5_FLOAT64)
        return h5_store_float(to, (h5_float){8, 63, 52, 11, 52, 1023});
    to[0] = CLASS_INTEGER;
    to[1] = 8;                    /* little-endian, signed */
    number_store(to + 4, 8, 4);
    number_store(to + 10, 64, 2);
    return 12;
}

size_t h5_store_text_type(unsigned char to[H5_TYPE_BYTES], size_t size, bool ascii)
{
    memset(to, 0, H5_TYPE_BYTES);
    to[0] = CLASS_TEXT;
    to[1] = ascii ? 0 : 0x10;     /* zero-terminated; ASCII or UTF-8 */
    number_store(to + 4, size, 4);
    return 8;
}

size_t h5_store_space(unsigned char to[H5_SPACE_BYTES], int rank, const int64_t *size)
{
    memset(to, 0, H5_SPACE_BYTES);
    to[0] = 1;                    /* version */
    to[1] = (unsigned char)rank;
    for (int a = 0; a < H5_RANK_MOST; a++)
        number_store(to + 8 + 8 * a, a < rank ? (uint64_t)size[a] : 0, 8);
    return 8 + 8 * (size_t)rank;
}

/* Per filter: its id, flags, and one parameter (shuffle: bytes per number; deflate: level). */
size_t h5_store_filters(unsigned char to[H5_FILTERS_BYTES])
{
    static const unsigned filters[2][2] = {{FILTER_SHUFFLE, sizeof(float)}, {FILTER_DEFLATE, H5_DEFLATE_LEVEL}};
    to[0] = 2;                    /* version */
    to[1] = 2;                    /* number of filters */
    for (int i = 0; i < 2; i++) {
        unsigned char *p = to + 2 + 10 * i;
        number_store(p, filters[i][0], 2);
        number_store(p + 2, FILTER_OPTIONAL, 2);
        number_store(p + 4, 1, 2);
        number_store(p + 6, filters[i][1], 4);
    }
    return H5_FILTERS_BYTES;
}

void h5_store_superblock(unsigned char to[H5_SUPERBLOCK_BYTES], uint64_t end, uint64_t root)
{
    memset(to, 0, H5_SUPERBLOCK_BYTES);
    memcpy(to, "\x89HDF\r\n\x1a\n", 8);
    to[13] = to[14] = 8;          /* bytes per address and per length */
    number_store(to + 16, 4, 2);  /* sizes of symbol table nodes, which we do not use */
    number_store(to + 18, 16, 2);
    number_store(to + 32, H5_NOWHERE, 8);
    number_store(to + H5_SUPERBLOCK_END, end, 8);
    number_store(to + 48, H5_NOWHERE, 8);
    number_store(to + H5_SUPERBLOCK_ROOT, root, 8);
}

/* A key: the chunk's bytes and filter mask, then its offset per index, the last index being the byte in a number. */
size_t h5_key_bytes(int rank)
{
    return 8 + 8 * ((size_t)rank + 1);
}

size_t h5_node_bytes(int rank)
{
    return H5_NODE_HEADER + (H5_NODE_CHILDREN + 1) * h5_key_bytes(rank) + 8 * H5_NODE_CHILDREN;
}

void h5_store_node(unsigned char to[H5_NODE_HEADER], const h5_node *node)
{
    memcpy(to, "TREE\1", 5);      /* node type 1: chunks */
    to[5] = (unsigned char)node->level;
    number_store(to + 6, (uint64_t)node->entries, 2);
    number_store(to + 8, node->left, 8);
    number_store(to + 16, node->right, 8);
}
