#include "scene/blocks.h"

#include <stdlib.h>

static void block_unlink(blocks *all, block_head *head)
{
    if (head->before)
        head->before->after = head->after;
    else
        all->first = head->after;
    if (head->after)
        head->after->before = head->before;
}

static void block_link(blocks *all, block_head *head)
{
    head->before = NULL;
    head->after = all->first;
    if (all->first)
        all->first->before = head;
    all->first = head;
}

size_t blocks_size(size_t size)
{
    return sizeof(block_head) + size;
}

/* Neighbours are told the new address of one that moved. */
static block_head *block_resize(blocks *all, block_head *head, size_t size)
{
    block_head *fresh = realloc(head, blocks_size(size));
    if (!fresh || fresh == head)
        return fresh;
    if (fresh->before)
        fresh->before->after = fresh;
    else
        all->first = fresh;
    if (fresh->after)
        fresh->after->before = fresh;
    return fresh;
}

void *blocks_resize(blocks *all, void *block, size_t old_size, size_t new_size)
{
    block_head *head = block ? (block_head *)block - 1 : NULL;
    if (new_size == 0) {
        if (head) {
            block_unlink(all, head);
            all->bytes -= blocks_size(old_size);
        }
        free(head);
        return NULL;
    }
    block_head *fresh = head ? block_resize(all, head, new_size) : malloc(blocks_size(new_size));
    if (!fresh)
        return NULL;
    if (!head) {
        block_link(all, fresh);
        fresh->number = ++all->made;
    }
    all->bytes += blocks_size(new_size) - (head ? blocks_size(old_size) : 0);
    return fresh + 1;
}

uint64_t block_number(const void *block)
{
    return ((const block_head *)block - 1)->number;
}

void blocks_free(blocks *all)
{
    for (block_head *head = all->first; head;) {
        block_head *after = head->after;
        free(head);
        head = after;
    }
    *all = (blocks){0};
}
