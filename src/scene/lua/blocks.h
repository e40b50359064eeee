/* The memory of a Lua state. A state that was left half way can still be freed, and at once, however many blocks it
   has: small ones are cut from slabs, large ones are in a chain. Each block has a number that says when it was made,
   which addresses do not. */
#ifndef FR_SCENE_LUA_BLOCKS_H
#define FR_SCENE_LUA_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

enum { BLOCKS_UNIT = 16, BLOCKS_SMALL = 512, BLOCKS_KINDS = BLOCKS_SMALL / BLOCKS_UNIT + 1 };

/* What stands before a large block; before a small one there is the number alone. */
typedef struct block_head {
    struct block_head *before, *after;
    uint64_t number;
} block_head;

typedef struct slab slab;

typedef struct blocks {
    block_head *large;
    slab *open[BLOCKS_KINDS]; /* slabs with room, by the units of their blocks */
    slab *full;
    size_t bytes;  /* held now: slabs and large blocks */
    uint64_t made; /* so far */
} blocks;

/* As realloc, with what the block has now and shall have; 0 frees it. NULL when there is no memory. */
void *blocks_resize(blocks *all, void *block, size_t old_size, size_t new_size);

/* Blocks that were made later have greater numbers. */
uint64_t block_number(const void *block);

void blocks_free(blocks *all);

#endif
