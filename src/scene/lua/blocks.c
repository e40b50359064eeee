#include "scene/lua/blocks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SLAB_BYTES = 1 << 16 };

/* The header of a slab. Slabs are aligned to their size, so a block's address gives its slab. */
struct slab {
    slab *before, *after; /* in the list of its kind, or of full slabs */
    void *returned;       /* free list of returned blocks */
    uint32_t kind;        /* size of its blocks in units */
    uint32_t used, cut;   /* blocks in use; blocks handed out at least once */
};
enum { SLAB_HEAD = (sizeof(slab) + BLOCKS_UNIT - 1) / BLOCKS_UNIT * BLOCKS_UNIT };

static uint32_t block_kind(size_t size)
{
    return (uint32_t)((size + sizeof(uint64_t) + BLOCKS_UNIT - 1) / BLOCKS_UNIT);
}

static bool block_is_small(size_t size)
{
    return size <= BLOCKS_SMALL - sizeof(uint64_t);
}

static uint32_t slab_room(const slab *s)
{
    return (SLAB_BYTES - SLAB_HEAD) / (s->kind * BLOCKS_UNIT);
}

static void slab_unlink(slab **list, slab *s)
{
    if (s->before)
        s->before->after = s->after;
    else
        *list = s->after;
    if (s->after)
        s->after->before = s->before;
}

static void slab_link(slab **list, slab *s)
{
    s->before = NULL;
    s->after = *list;
    if (*list)
        (*list)->before = s;
    *list = s;
}

static slab *slab_make(blocks *all, uint32_t kind)
{
    slab *s = aligned_alloc(SLAB_BYTES, SLAB_BYTES);
    if (!s)
        return NULL;
    *s = (slab){.kind = kind};
    slab_link(&all->open[kind], s);
    all->bytes += SLAB_BYTES;
    return s;
}

static void *small_make(blocks *all, size_t size)
{
    uint32_t kind = block_kind(size);
    slab *s = all->open[kind] ? all->open[kind] : slab_make(all, kind);
    if (!s)
        return NULL;
    char *block = s->returned;
    if (block)
        memcpy(&s->returned, block, sizeof s->returned);
    else
        block = (char *)s + SLAB_HEAD + (size_t)s->cut++ * kind * BLOCKS_UNIT + sizeof(uint64_t);
    if (++s->used == slab_room(s)) {
        slab_unlink(&all->open[kind], s);
        slab_link(&all->full, s);
    }
    return block;
}

/* Keeps the last open slab of a kind even if it is empty, because it may be needed again soon. */
static void small_free(blocks *all, void *block)
{
    slab *s = (slab *)((uintptr_t)block & ~(uintptr_t)(SLAB_BYTES - 1));
    if (s->used == slab_room(s)) {
        slab_unlink(&all->full, s);
        slab_link(&all->open[s->kind], s);
    }
    memcpy(block, &s->returned, sizeof s->returned);
    s->returned = block;
    if (--s->used > 0 || (!s->before && !s->after))
        return;
    slab_unlink(&all->open[s->kind], s);
    all->bytes -= SLAB_BYTES;
    free(s);
}

/* realloc may move the block, so its neighbours in the list are updated. */
static void *large_resize(blocks *all, void *block, size_t old_size, size_t new_size)
{
    block_head *head = realloc(block ? (block_head *)block - 1 : NULL, sizeof *head + new_size);
    if (!head)
        return NULL;
    if (!block) {
        head->before = NULL;
        head->after = all->large;
    }
    if (head->before)
        head->before->after = head;
    else
        all->large = head;
    if (head->after)
        head->after->before = head;
    all->bytes += new_size - old_size + (block ? 0 : sizeof *head);
    return head + 1;
}

static void large_free(blocks *all, void *block, size_t size)
{
    block_head *head = (block_head *)block - 1;
    if (head->before)
        head->before->after = head->after;
    else
        all->large = head->after;
    if (head->after)
        head->after->before = head->before;
    all->bytes -= size + sizeof *head;
    free(head);
}

static void block_free(blocks *all, void *block, size_t size)
{
    if (block && block_is_small(size))
        small_free(all, block);
    else if (block)
        large_free(all, block, size);
}

static void *block_make(blocks *all, size_t size)
{
    void *block = block_is_small(size) ? small_make(all, size) : large_resize(all, NULL, 0, size);
    if (block)
        ((uint64_t *)block)[-1] = ++all->made;
    return block;
}

void *blocks_resize(blocks *all, void *block, size_t old_size, size_t new_size)
{
    if (new_size == 0) {
        block_free(all, block, old_size);
        return NULL;
    }
    if (!block)
        return block_make(all, new_size);
    bool from_small = block_is_small(old_size), to_small = block_is_small(new_size);
    if (from_small && to_small && block_kind(old_size) == block_kind(new_size))
        return block;
    if (!from_small && !to_small)
        return large_resize(all, block, old_size, new_size);
    void *fresh = block_make(all, new_size);
    if (!fresh)
        return NULL;
    memcpy(fresh, block, old_size < new_size ? old_size : new_size);
    block_free(all, block, old_size);
    return fresh;
}

uint64_t block_number(const void *block)
{
    return ((const uint64_t *)block)[-1];
}

static void slab_free_list(slab *s)
{
    while (s) {
        slab *after = s->after;
        free(s);
        s = after;
    }
}

void blocks_free(blocks *all)
{
    for (block_head *head = all->large; head;) {
        block_head *after = head->after;
        free(head);
        head = after;
    }
    for (int kind = 0; kind < BLOCKS_KINDS; kind++)
        slab_free_list(all->open[kind]);
    slab_free_list(all->full);
    *all = (blocks){0};
}
