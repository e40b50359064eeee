/* Snapshots: the full state as blocks of bytes, and restoring it. */
#include <string.h>

#include "world/world.h"

enum { SNAPSHOT_VERSION = 11 };

/* No scalar can have a name with a #. */
static const char HEAD[] = "#head";

static void snapshot_fill_head(fr_world *world)
{
    world_head *head = &world->head;
    memset(head, 0, sizeof *head);
    head->version = SNAPSHOT_VERSION;
    head->method = world->def.method;
    head->frame = world->now->frame;
    head->steps = world->now->steps;
    head->before = world->now->before;
    head->time = world->now->time;
    head->tally = world->tally;
    head->last = world->last;
}

static void snapshot_begin(fr_world *world, fr_block *list)
{
    world->run->listed = list;
    world->run->block_count = 0;
}

fr_result fr_world_snapshot(fr_world *world, const fr_block **blocks, int *count)
{
    snapshot_fill_head(world);
    snapshot_begin(world, world->blocks);
    method_add_block(world->run, HEAD, &world->head, sizeof world->head);
    if (world->method->fill_head)
        world->method->fill_head(world->run);
    world->method->list_blocks(world->run);
    *blocks = world->blocks;
    *count = world->run->block_count;
    return FR_OK;
}

static fr_result snapshot_read_head(const fr_world *world, const fr_block *blocks, int count, world_head *head)
{
    const fr_block *block = method_find_block(blocks, count, HEAD);
    if (!block || block->bytes < sizeof head->version)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint has no readable head");
    memcpy(&head->version, block->data, sizeof head->version);
    if (head->version != SNAPSHOT_VERSION || block->bytes != sizeof *head)
        return fr_fail(FR_ERROR_INPUT,
                       "the checkpoint was made by another version of Freshet; start again with --force");
    memcpy(head, block->data, sizeof *head);
    if (head->method != (int32_t)world->def.method)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint belongs to another scene: it was made by another method");
    return FR_OK;
}

/* The snapshot must contain every block of this world, with the same size. */
static fr_result snapshot_compare(const fr_world *world, const fr_block *blocks, int count)
{
    for (int i = 0; i < world->run->block_count; i++) {
        const fr_block *block = method_find_block(blocks, count, world->wanted[i].name);
        if (!block || block->bytes != world->wanted[i].bytes)
            return fr_fail(FR_ERROR_INPUT,
                           "the checkpoint belongs to another scene: its field '%s' is missing or of another size",
                           world->wanted[i].name);
    }
    return FR_OK;
}

fr_result fr_world_restore(fr_world *world, const fr_block *blocks, int count)
{
    world_head head;
    FR_TRY(snapshot_read_head(world, blocks, count, &head));
    if (world->method->read_head)
        FR_TRY(world->method->read_head(world->run, blocks, count));
    snapshot_begin(world, world->wanted);   /* a separate list: the snapshot may be this world's own */
    world->method->list_blocks(world->run);
    FR_TRY(snapshot_compare(world, blocks, count));
    for (int i = 0; i < world->run->block_count; i++)
        if (world->wanted[i].bytes > 0)
            memcpy(world->wanted[i].data, method_find_block(blocks, count, world->wanted[i].name)->data,
                   world->wanted[i].bytes);
    world->now->frame = head.frame;
    world->now->steps = head.steps;
    world->now->before = head.before;
    world->now->time = head.time;
    world->tally = head.tally;
    world->last = head.last;
    return world->method->restored ? world->method->restored(world->run) : FR_OK;
}
