/* The part of the HDF5 file format that caches use, shared by writer and reader. Source: "HDF5 File Format
   Specification Version 3.0" (The HDF Group). Superblock version 0; object headers version 1 without timestamps, so
   that the same frame gives the same file; groups by link messages; attribute messages version 3; datasets contiguous,
   or chunked with a version 1 B-tree and the filters shuffle and deflate. All numbers are little-endian; all objects
   begin at multiples of 8 bytes. */
#ifndef FR_IO_H5FORMAT_H
#define FR_IO_H5FORMAT_H

#include <freshet/base.h>

enum {
    H5_SUPERBLOCK_BYTES = 96,
    H5_SUPERBLOCK_END = 40,       /* offset of the end-of-file address in it */
    H5_SUPERBLOCK_ROOT = 64,      /* offset of the address of the root's header in it */
    H5_HEADER_BYTES = 16,         /* before an object's messages */
    H5_MESSAGE_BYTES = 8,         /* before a message's data */
    H5_MESSAGE_MOST = 65528,      /* most bytes of a message's data */
    H5_LINK_BYTES = 4,            /* before a link's name */
    H5_ATTRIBUTE_BYTES = 9,       /* before an attribute's name */
    H5_RANK_MOST = 4,
    H5_TYPE_BYTES = 20,           /* most bytes of a datatype description */
    H5_SPACE_BYTES = 8 + 8 * H5_RANK_MOST,
    H5_FILTERS_BYTES = 22,
    H5_DEFLATE_LEVEL = 1,         /* level 6 takes 2.6 times as long for 2 % less */
    H5_FILTERS_SKIPPED = 3,       /* filter mask with shuffle and deflate: the chunk is stored raw */
    H5_NODE_CHILDREN = 64,        /* of a B-tree's node, as superblock 0 implies */
    H5_NODE_HEADER = 24,
    H5_NODE_BYTES = H5_NODE_HEADER + (H5_NODE_CHILDREN + 1) * (8 + 8 * (H5_RANK_MOST + 1)) + 8 * H5_NODE_CHILDREN
};

#define H5_NOWHERE UINT64_MAX     /* the undefined address */

/* Types of header messages. */
enum {
    H5_SPACE = 1,
    H5_LINK_INFO = 2,
    H5_TYPE = 3,
    H5_FILL = 5,
    H5_LINK = 6,
    H5_LAYOUT = 8,
    H5_GROUP_INFO = 10,
    H5_FILTERS = 11,
    H5_ATTRIBUTE = 12
};

typedef enum h5_type { H5_FLOAT32, H5_FLOAT64, H5_INT64 } h5_type;

/* A dataset's type, size and storage; slowest index first. */
typedef struct h5_array {
    h5_type type;
    int rank;                     /* 1 to 4; in chunks 3 or 4 */
    int64_t size[H5_RANK_MOST];
    int64_t chunk[H5_RANK_MOST];  /* all 0: contiguous */
    uint64_t address;             /* of its bytes, or of the B-tree of its chunks */
} h5_array;

/* A stored chunk. Chunks that are not stored read as zeros. */
typedef struct h5_chunk {
    int64_t at[3];                /* its first sample, slowest index first; the fourth index always begins at 0 */
    uint64_t address;
    uint32_t bytes, skipped;      /* skipped: 0 or H5_FILTERS_SKIPPED */
} h5_chunk;

size_t h5_type_size(h5_type type);

/* Write descriptions in file format and return their length. */
size_t h5_store_type(unsigned char to[H5_TYPE_BYTES], h5_type type);
size_t h5_store_text_type(unsigned char to[H5_TYPE_BYTES], size_t size, bool ascii);
size_t h5_store_space(unsigned char to[H5_SPACE_BYTES], int rank, const int64_t *size);
size_t h5_store_filters(unsigned char to[H5_FILTERS_BYTES]);
void h5_store_superblock(unsigned char to[H5_SUPERBLOCK_BYTES], uint64_t end, uint64_t root);

/* Bytes of a B-tree key and of a B-tree node, for a dataset of that rank. */
size_t h5_key_bytes(int rank);
size_t h5_node_bytes(int rank);

/* The header of a B-tree node, up to its first key. */
typedef struct h5_node {
    int level, entries;
    uint64_t left, right;         /* addresses of its siblings */
} h5_node;
void h5_store_node(unsigned char to[H5_NODE_HEADER], const h5_node *node);

#endif
