/* The version 1 B-tree of a dataset's chunks. All chunks are known when it is written, so its nodes are filled from the
   left and stored contiguously, level by level: a node's address follows from its number. */
#include "io/h5read.h"
#include "io/h5write.h"

#include <stdlib.h>
#include <string.h>

#include "io/numbers.h"

enum { LEVELS_MOST = 8 };        /* 64^8 chunks: more than a file can have */

/* One level of the tree. */
typedef struct h5_level {
    int level;
    int64_t span;                 /* chunks under one entry */
    int64_t entries;              /* of all nodes of the level together */
    uint64_t children, nodes;     /* addresses of the first node of the level below and of this level */
} h5_level;

static int64_t h5_total(const h5_index *index)
{
    return index->count * index->layers;
}

static int64_t h5_split(int64_t count, int64_t parts)
{
    return (count + parts - 1) / parts;
}

/* The key of chunk n. Past the last chunk: a key greater than all others along every index. */
static void h5_store_key(const h5_index *index, int64_t n, unsigned char *to)
{
    const h5_array *array = index->array;
    bool end = n >= h5_total(index);
    int64_t last = end ? h5_total(index) - 1 : n, layer = last / index->count;
    const h5_chunk *chunk = &index->chunks[last % index->count];
    number_store(to, end ? 0 : chunk->bytes, 4);
    number_store(to + 4, end ? 0 : chunk->skipped, 4);
    for (int a = 0; a < array->rank; a++) {
        int64_t at = (a < 3 ? chunk->at[a] : 0) + (a == 0 ? layer : 0) + (end ? array->chunk[a] : 0);
        number_store(to + 8 + 8 * a, (uint64_t)at, 8);
    }
    number_store(to + 8 + 8 * array->rank, end ? h5_type_size(array->type) : 0, 8);
}

static void h5_put_node(file_draft *draft, const h5_index *index, const h5_level *level, int64_t number)
{
    unsigned char node[H5_NODE_BYTES] = {0};
    size_t bytes = h5_node_bytes(index->array->rank), key = h5_key_bytes(index->array->rank);
    int64_t first = number * H5_NODE_CHILDREN, left = level->entries - first;
    int entries = left < H5_NODE_CHILDREN ? (int)left : H5_NODE_CHILDREN;
    uint64_t place = level->nodes + (uint64_t)number * bytes;
    h5_store_node(node, &(h5_node){
        .level = level->level, .entries = entries,
        .left = number > 0 ? place - bytes : H5_NOWHERE,
        .right = left > H5_NODE_CHILDREN ? place + bytes : H5_NOWHERE,
    });
    unsigned char *p = node + H5_NODE_HEADER;
    for (int i = 0; i < entries; i++, p += key + 8) {
        int64_t entry = first + i;
        uint64_t child =
            level->level == 0 ? index->chunks[entry % index->count].address : level->children + (uint64_t)entry * bytes;
        h5_store_key(index, entry * level->span, p);
        number_store(p + key, child, 8);
    }
    h5_store_key(index, (first + entries) * level->span, p);
    file_put(draft, node, bytes);
}

uint64_t h5_put_index(file_draft *draft, const h5_index *index)
{
    h5_level level = {.span = 1, .entries = h5_total(index)};
    if (level.entries == 0)
        return H5_NOWHERE;
    for (;; level.level++) {
        int64_t nodes = h5_split(level.entries, H5_NODE_CHILDREN);
        level.nodes = h5_place(draft);
        for (int64_t n = 0; n < nodes; n++)
            h5_put_node(draft, index, &level, n);
        if (nodes == 1)
            return level.nodes;
        level.children = level.nodes;
        level.span *= H5_NODE_CHILDREN;
        level.entries = nodes;
    }
}

typedef struct h5_walk {
    h5_source *h5;
    const h5_array *array;
    h5_chunk *chunks;
    int64_t count, room;
} h5_walk;

static bool h5_comes_after(const h5_chunk *chunk, const h5_chunk *other)
{
    for (int a = 0; a < 3; a++)
        if (chunk->at[a] != other->at[a])
            return chunk->at[a] > other->at[a];
    return false;
}

/* Parses a key and its address. False unless it is a chunk of the dataset and comes after all previous ones. */
static bool h5_load_chunk(const h5_walk *walk, const unsigned char *key, h5_chunk *chunk)
{
    const h5_array *array = walk->array;
    *chunk = (h5_chunk){.bytes = (uint32_t)number_load(key, 4), .skipped = (uint32_t)number_load(key + 4, 4)};
    for (int a = 0; a <= array->rank; a++) {
        uint64_t at = number_load(key + 8 + 8 * a, 8);
        if (a >= 3 ? at != 0 : at >= (uint64_t)array->size[a] || at % (uint64_t)array->chunk[a] != 0)
            return false;
        if (a < 3)
            chunk->at[a] = (int64_t)at;
    }
    chunk->address = number_load(key + h5_key_bytes(array->rank), 8);
    return (chunk->skipped == 0 || chunk->skipped == H5_FILTERS_SKIPPED) &&
           h5_inside(walk->h5, chunk->address, chunk->bytes) &&
           (walk->count == 0 || h5_comes_after(chunk, &walk->chunks[walk->count - 1]));
}

static fr_result h5_take_chunk(h5_walk *walk, const unsigned char *key)
{
    h5_chunk chunk;
    if (!h5_load_chunk(walk, key, &chunk))
        return h5_refuse(walk->h5, "list of chunks");
    if (walk->count == walk->room) {
        int64_t room = 2 * walk->room + H5_NODE_CHILDREN;
        h5_chunk *grown = realloc(walk->chunks, (size_t)room * sizeof *grown);
        if (!grown)
            return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for the places of %lld chunks", (long long)room);
        walk->chunks = grown;
        walk->room = room;
    }
    walk->chunks[walk->count++] = chunk;
    return FR_OK;
}

/* Levels must decrease and chunks must come in order. So no node is visited twice, and the walk ends even when a
   damaged file's nodes refer to each other in a cycle. */
static fr_result h5_walk_node(h5_walk *walk, uint64_t address, int below)
{
    unsigned char node[H5_NODE_BYTES];
    size_t key = h5_key_bytes(walk->array->rank);
    FR_TRY(h5_read(walk->h5, address, node, h5_node_bytes(walk->array->rank)));
    int level = node[5], entries = (int)number_load(node + 6, 2);
    if (memcmp(node, "TREE\1", 5) != 0 || level >= below || entries < 1 || entries > H5_NODE_CHILDREN)
        return h5_refuse(walk->h5, "list of chunks");
    const unsigned char *p = node + H5_NODE_HEADER;
    for (int i = 0; i < entries; i++, p += key + 8)
        FR_TRY(level == 0 ? h5_take_chunk(walk, p) : h5_walk_node(walk, number_load(p + key, 8), level));
    return FR_OK;
}

fr_result h5_get_chunks(h5_source *h5, const h5_array *array, h5_chunk **chunks, int64_t *count)
{
    h5_walk walk = {.h5 = h5, .array = array};
    fr_result result = array->address == H5_NOWHERE ? FR_OK : h5_walk_node(&walk, array->address, LEVELS_MOST);
    *chunks = walk.chunks;
    *count = walk.count;
    return result;
}
