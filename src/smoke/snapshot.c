/* What the smoke method saves and takes up again. */
#include <string.h>

#include "mac/stage/move.h"
#include "mac/stage/walls.h"
#include "smoke/smoke.h"

/* Names with a # are none that a scalar can have. */
static const char SMOKE[] = "#smoke", ACCOUNTS[] = "#accounts";

void smoke_fill_head(fr_world *world)
{
    const state *s = world->state;
    smoke_head *head = &world->smoke_head;
    memset(head, 0, sizeof *head);
    for (int a = 0; a < 3; a++)
        head->cells[a] = world->model->domain.n[a];
    head->scalar_count = world->model->scalar_count;
    head->past_reach = s->past_reach;
    head->past_step = s->past_step;
    head->kinds = world->model->tracer_count;
    head->particles = s->particles.count;
    head->left = s->particles_left;
    head->lost = s->particles_lost;
}

fr_result smoke_read_head(fr_world *world, const fr_block *from, int count)
{
    const fr_block *block = world_find_block(from, count, SMOKE);
    smoke_head head;
    if (!block || block->bytes != sizeof head)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint has no readable head");
    memcpy(&head, block->data, sizeof head);
    bool same = head.scalar_count == world->model->scalar_count;
    for (int a = 0; a < 3; a++)
        same = same && head.cells[a] == world->model->domain.n[a];
    if (!same)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint belongs to another scene: it has %d x %d x %d cells and %d scalars", head.cells[0],
                       head.cells[1], head.cells[2], head.scalar_count);
    const fr_block *ids = world_find_block(from, count, "#id");
    if (head.kinds != world->model->tracer_count || (head.kinds && (!ids || ids->bytes / sizeof(int64_t) != (size_t)head.particles)))
        return fr_fail(FR_ERROR_INPUT, "the checkpoint belongs to another scene: it has %lld kinds of particles, %lld in all",
                       (long long)head.kinds, (long long)head.particles);
    world->smoke_head = head;
    return head.kinds ? particles_reserve(&world->state->particles, head.particles) : FR_OK;
}

static void smoke_add_field(fr_world *world, const char *name, const field *f)
{
    world_add_block(world, name, f->block, f->count * sizeof(float));
}

static void smoke_list_particles(fr_world *world)
{
    const particles *p = &world->state->particles;
    size_t n = (size_t)world->smoke_head.particles;
    world_add_block(world, "#position", p->position, n * sizeof *p->position);
    world_add_block(world, "#velocity", p->velocity, n * sizeof *p->velocity);
    world_add_block(world, "#age", p->age, n * sizeof *p->age);
    world_add_block(world, "#id", p->id, n * sizeof *p->id);
}

/* Fields are given as they lie, ghosts included. */
void smoke_list_blocks(fr_world *world)
{
    static const char *const names[3] = {"u", "v", "w"}, *const past[3] = {"#past_u", "#past_v", "#past_w"};
    const model *m = world->model;
    const state *s = world->state;
    world_add_block(world, SMOKE, &world->smoke_head, sizeof world->smoke_head);
    world_add_block(world, ACCOUNTS, s->accounts, (size_t)m->scalar_count * sizeof *s->accounts);
    for (int a = 0; a < m->domain.dims; a++)
        smoke_add_field(world, names[a], &s->velocity[a]);
    for (int a = 0; a < m->domain.dims && s->past_velocity[0].block; a++)
        smoke_add_field(world, past[a], &s->past_velocity[a]);
    smoke_add_field(world, "pressure", &s->pressure);
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].varies)
            smoke_add_field(world, m->scalars[i].name, &s->scalars[i]);
    if (m->tracer_count)
        smoke_list_particles(world);
}

fr_result smoke_restored(fr_world *world)
{
    const smoke_head *head = &world->smoke_head;
    state *s = world->state;
    s->past_reach = head->past_reach;
    s->past_step = head->past_step;
    s->particles.count = head->particles;
    s->particles_left = head->left;
    s->particles_lost = head->lost;
    FR_TRY(stage_move(world->model, s, s->now.before, s->now.time));
    return stage_walls_update(world->model, s, s->now.time);
}
