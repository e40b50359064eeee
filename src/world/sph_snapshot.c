/* What SPH saves and takes up again. */
#include <string.h>

#include "world/sph.h"

static const char SPH[] = "#sph";

void sph_fill_head(fr_world *world)
{
    const sph_state *s = world->sph_state;
    world->sph_head = (sph_head){s->fluid.count, s->born, s->left, s->lost, s->pull};
}

fr_result sph_read_head(fr_world *world, const fr_block *from, int count)
{
    const fr_block *block = world_find_block(from, count, SPH), *ids = world_find_block(from, count, "#id");
    sph_head head;
    if (!block || block->bytes != sizeof head)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint has no readable head");
    memcpy(&head, block->data, sizeof head);
    if (head.particles < 0 || !ids || ids->bytes / sizeof(int64_t) != (size_t)head.particles)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint is damaged: it speaks of %lld particles", (long long)head.particles);
    world->sph_head = head;
    world->attributes_known = false;
    return sph_state_reserve(world->sph_model, world->sph_state, head.particles);
}

void sph_list_blocks(fr_world *world)
{
    const fluid *f = &world->sph_state->fluid;
    size_t n = (size_t)world->sph_head.particles;
    world_add_block(world, SPH, &world->sph_head, sizeof world->sph_head);
    world_add_block(world, "#position", f->position, n * sizeof *f->position);
    world_add_block(world, "#velocity", f->velocity, n * sizeof *f->velocity);
    world_add_block(world, "#id", f->id, n * sizeof *f->id);
    world_add_block(world, "#density", f->density, n * sizeof *f->density);
    world_add_block(world, "#pressure", f->pressure, n * sizeof *f->pressure);
    const sph_walls *w = &world->sph_state->walls;
    if (w->press)
        world_add_block(world, "#wall_pressure", w->unsorted.pressure, (size_t)w->count * sizeof *w->unsorted.pressure);
    if (w->sticks)
        world_add_block(world, "#wall_age", w->unsorted.age, (size_t)w->count * sizeof *w->unsorted.age);
    if (world->def->source_count > 0)
        world_add_block(world, "#layers", world->sph_state->layers, sizeof(double) * (size_t)world->def->source_count);
}

fr_result sph_restored(fr_world *world)
{
    const sph_head *head = &world->sph_head;
    sph_state *s = world->sph_state;
    s->fluid.count = head->particles;
    s->born = head->born;
    s->left = head->left;
    s->lost = head->lost;
    s->pull = head->pull;
    s->near_known = false;
    return FR_OK;
}
