/* The full state as blocks of bytes, and back. */
#include <string.h>

#include "stage/move.h"
#include "stage/walls.h"
#include "world/world.h"

enum { SNAPSHOT_VERSION = 3 };

/* Names with a # are none that a scalar can have. */
static const char HEAD[] = "#head", PARTICLES[] = "#particles", ACCOUNTS[] = "#accounts";

static void snapshot_fill_head(fr_world *world)
{
    const state *s = world->state;
    world_head *head = &world->head;
    memset(head, 0, sizeof *head);
    head->version = SNAPSHOT_VERSION;
    head->scalar_count = world->model->scalar_count;
    for (int a = 0; a < 3; a++)
        head->cells[a] = world->model->domain.n[a];
    head->frame = s->frame;
    head->steps = s->steps;
    head->before = s->before;
    head->time = s->time;
    head->past_reach = s->past_reach;
    head->past_step = s->past_step;
    head->tally = world->tally;
    head->last = world->last;
}

static fr_block snapshot_block(const char *name, const field *f)
{
    return (fr_block){name, f->block, f->count * sizeof(float)};
}

/* `count` particles, of which there may be another number in the state. */
static int snapshot_list_particles(fr_world *world, int64_t count, fr_block *blocks)
{
    const particles *p = &world->state->particles;
    size_t n = (size_t)count;
    blocks[0] = (fr_block){PARTICLES, &world->particles, sizeof world->particles};
    blocks[1] = (fr_block){"#position", p->position, n * sizeof *p->position};
    blocks[2] = (fr_block){"#velocity", p->velocity, n * sizeof *p->velocity};
    blocks[3] = (fr_block){"#age", p->age, n * sizeof *p->age};
    blocks[4] = (fr_block){"#id", p->id, n * sizeof *p->id};
    return 5;
}

/* The blocks of this world in their order. Fields are given as they lie, ghosts included. */
static int snapshot_list(fr_world *world, int64_t particle_count)
{
    static const char *const names[3] = {"u", "v", "w"}, *const past[3] = {"#past_u", "#past_v", "#past_w"};
    const model *m = world->model;
    const state *s = world->state;
    int count = 0;
    world->blocks[count++] = (fr_block){HEAD, &world->head, sizeof world->head};
    world->blocks[count++] = (fr_block){ACCOUNTS, s->accounts, (size_t)m->scalar_count * sizeof *s->accounts};
    for (int a = 0; a < m->domain.dims; a++)
        world->blocks[count++] = snapshot_block(names[a], &s->velocity[a]);
    for (int a = 0; a < m->domain.dims && s->past_velocity[0].block; a++)
        world->blocks[count++] = snapshot_block(past[a], &s->past_velocity[a]);
    world->blocks[count++] = snapshot_block("pressure", &s->pressure);
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].varies)
            world->blocks[count++] = snapshot_block(m->scalars[i].name, &s->scalars[i]);
    if (m->tracer_count)
        count += snapshot_list_particles(world, particle_count, world->blocks + count);
    return count;
}

fr_result fr_world_snapshot(fr_world *world, const fr_block **blocks, int *count)
{
    const state *s = world->state;
    snapshot_fill_head(world);
    world->particles = (world_particles){world->model->tracer_count, s->particles.count, s->particles_left, s->particles_lost};
    *count = snapshot_list(world, s->particles.count);
    *blocks = world->blocks;
    return FR_OK;
}

static const fr_block *snapshot_find(const fr_block *blocks, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(blocks[i].name, name))
            return &blocks[i];
    return NULL;
}

static fr_result snapshot_check_head(const fr_world *world, const world_head *head)
{
    if (head->version != SNAPSHOT_VERSION)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint was made by another version of Freshet; start again with --force");
    bool same = head->scalar_count == world->model->scalar_count;
    for (int a = 0; a < 3; a++)
        same = same && head->cells[a] == world->model->domain.n[a];
    if (!same)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint belongs to another scene: it has %d x %d x %d cells and %d scalars", head->cells[0],
                       head->cells[1], head->cells[2], head->scalar_count);
    return FR_OK;
}

/* Makes room for as many particles as the snapshot has; says how many. */
static fr_result snapshot_make_room(fr_world *world, const fr_block *blocks, int count, int64_t *particle_count)
{
    world_particles head;
    const fr_block *block = snapshot_find(blocks, count, PARTICLES);
    *particle_count = 0;
    if (!world->model->tracer_count || !block || block->bytes != sizeof head)
        return FR_OK;
    memcpy(&head, block->data, sizeof head);
    const fr_block *ids = snapshot_find(blocks, count, "#id");
    if (head.kinds != world->model->tracer_count || !ids || ids->bytes / sizeof(int64_t) != (size_t)head.count)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint belongs to another scene: it has %lld kinds of particles, %lld in all",
                       (long long)head.kinds, (long long)head.count);
    *particle_count = head.count;
    return particles_reserve(&world->state->particles, head.count);
}

fr_result fr_world_restore(fr_world *world, const fr_block *blocks, int count)
{
    world_head head;
    const fr_block *block = snapshot_find(blocks, count, HEAD);
    if (!block || block->bytes != sizeof head)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint has no readable head");
    memcpy(&head, block->data, sizeof head);
    FR_TRY(snapshot_check_head(world, &head));
    int64_t particle_count;
    FR_TRY(snapshot_make_room(world, blocks, count, &particle_count));
    int wanted = snapshot_list(world, particle_count);
    for (int i = 1; i < wanted; i++) {
        block = snapshot_find(blocks, count, world->blocks[i].name);
        if (!block || block->bytes != world->blocks[i].bytes)
            return fr_fail(FR_ERROR_INPUT, "the checkpoint belongs to another scene: its field '%s' is missing or of another size", world->blocks[i].name);
    }
    for (int i = 1; i < wanted; i++)
        memcpy(world->blocks[i].data, snapshot_find(blocks, count, world->blocks[i].name)->data, world->blocks[i].bytes);
    if (world->model->tracer_count) {
        world->state->particles.count = particle_count;
        world->state->particles_left = world->particles.left;
        world->state->particles_lost = world->particles.lost;
    }
    world->state->frame = head.frame;
    world->state->steps = head.steps;
    world->state->before = head.before;
    world->state->time = head.time;
    world->state->past_reach = head.past_reach;
    world->state->past_step = head.past_step;
    world->tally = head.tally;
    world->last = head.last;
    FR_TRY(stage_move(world->model, world->state, head.before, head.time));
    return stage_walls_update(world->model, world->state, head.time);
}
