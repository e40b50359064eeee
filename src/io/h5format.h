/* The part of HDF5's file format that caches use, known to the writer and the reader of it. Facts from the "HDF5 File
   Format Specification Version 3.0" (The HDF Group): superblock 0; object headers 1 without times, so that the same
   frame makes the same file; groups by link messages; attribute messages 3; datasets contiguous, or in chunks found by
   a B-tree of version 1 and packed by shuffle and deflate. All numbers are little-endian, all objects begin at
   multiples of 8 bytes. */
#ifndef FR_IO_H5FORMAT_H
#define FR_IO_H5FORMAT_H

#include <freshet/base.h>

enum {
    H5_SUPERBLOCK_BYTES = 96,
    H5_SUPERBLOCK_END = 40,       /* where in it the end of the file stands */
    H5_SUPERBLOCK_ROOT = 64,      /* and the address of the root's header */
    H5_HEADER_BYTES = 16,         /* before an object's messages */
    H5_MESSAGE_BYTES = 8,         /* before a message's data */
    H5_MESSAGE_MOST = 65528,      /* data of a message */
    H5_LINK_BYTES = 4,            /* before a link's name */
    H5_ATTRIBUTE_BYTES = 9,       /* before an attribute's */
    H5_RANK_MOST = 4,
    H5_TYPE_BYTES = 20,           /* of a type's description, at most */
    H5_SPACE_BYTES = 8 + 8 * H5_RANK_MOST,
    H5_FILTERS_BYTES = 22,
    H5_DEFLATE_LEVEL = 1,         /* level 6 takes 2.6 times as long for 2 % less */
    H5_FILTERS_SKIPPED = 3,       /* bits of shuffle and deflate: the chunk is stored as it is */
    H5_NODE_CHILDREN = 64,        /* of a B-tree's node, as superblock 0 implies */
    H5_NODE_HEADER = 24,
    H5_NODE_BYTES = H5_NODE_HEADER + (H5_NODE_CHILDREN + 1) * (8 + 8 * (H5_RANK_MOST + 1)) + 8 * H5_NODE_CHILDREN
};

#define H5_NOWHERE UINT64_MAX     /* the address of what is not there */

/* Kinds of messages. */
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

/* What a dataset is, slowest index first. */
typedef struct h5_array {
    h5_type type;
    int rank;                     /* 1 to 4; in chunks 3 or 4 */
    int64_t size[H5_RANK_MOST];
    int64_t chunk[H5_RANK_MOST];  /* all 0: contiguous */
    uint64_t address;             /* of its bytes, or of the B-tree that finds its chunks */
} h5_array;

/* A chunk that is stored. Those that are not read as zeros. */
typedef struct h5_chunk {
    int64_t at[3];                /* its first sample, slowest index first; the fourth index always begins at 0 */
    uint64_t address;
    uint32_t bytes, skipped;      /* skipped: 0 or H5_FILTERS_SKIPPED */
} h5_chunk;

size_t h5_type_size(h5_type type);

/* Descriptions as they stand in files; all return their length. */
size_t h5_store_type(unsigned char to[H5_TYPE_BYTES], h5_type type);
size_t h5_store_text_type(unsigned char to[H5_TYPE_BYTES], size_t size, bool ascii);
size_t h5_store_space(unsigned char to[H5_SPACE_BYTES], int rank, const int64_t *size);
size_t h5_store_filters(unsigned char to[H5_FILTERS_BYTES]);
void h5_store_superblock(unsigned char to[H5_SUPERBLOCK_BYTES], uint64_t end, uint64_t root);

/* Keys and nodes of the B-tree for so many indices: how many bytes they take. */
size_t h5_key_bytes(int rank);
size_t h5_node_bytes(int rank);

/* The head of a node, up to its first key. */
typedef struct h5_node {
    int level, entries;
    uint64_t left, right;         /* its neighbours */
} h5_node;
void h5_store_node(unsigned char to[H5_NODE_HEADER], const h5_node *node);

#endif
