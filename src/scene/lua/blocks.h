/* The allocator of a Lua state. It can free a state that was abandoned in the middle of an operation, quickly and
   without Lua's help: small blocks are in slabs, large ones in a linked list. Each block has a serial number, which
   gives a deterministic order, as addresses do not. */
#ifndef FR_SCENE_LUA_BLOCKS_H
#define FR_SCENE_LUA_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

enum { BLOCKS_UNIT = 16, BLOCKS_SMALL = 512, BLOCKS_KINDS = BLOCKS_SMALL / BLOCKS_UNIT + 1 };

/* The header of a large block; a small one has the serial number only. */
typedef struct block_head {
    struct block_head *before, *after;
    uint64_t number;
} block_head;

typedef struct slab slab;

typedef struct blocks {
    block_head *large;
    slab *open[BLOCKS_KINDS]; /* slabs with free blocks, by block size in units */
    slab *full;
    size_t bytes;  /* allocated now: slabs and large blocks */
    uint64_t made; /* blocks so far: the last serial number */
} blocks;

/* Like realloc with the old and the new size; a new size of 0 frees the block. NULL if memory runs out. */
void *blocks_resize(blocks *all, void *block, size_t old_size, size_t new_size);

/* The serial number of a block; later blocks have greater numbers. */
uint64_t block_number(const void *block);

void blocks_free(blocks *all);

#endif
