/* The memory of a Lua state: blocks in a chain, so that a state which was left half way can still be freed, each with
   a number that says when it was made, which addresses do not. */
#ifndef FR_SCENE_BLOCKS_H
#define FR_SCENE_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

typedef struct block_head {
    struct block_head *before, *after;
    uint64_t number;
} block_head;

typedef struct blocks {
    block_head *first;
    size_t bytes;  /* held now, heads included */
    uint64_t made; /* so far */
} blocks;

/* As realloc, with what the block has now and shall have; 0 frees it. NULL when there is no memory. */
void *blocks_resize(blocks *all, void *block, size_t old_size, size_t new_size);

/* What a block of `size` takes. */
size_t blocks_size(size_t size);

/* Blocks that were made later have greater numbers. */
uint64_t block_number(const void *block);

void blocks_free(blocks *all);

#endif
