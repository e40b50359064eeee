/* What a river saves and takes up again. */
#include <string.h>

#include "river/stage/particles.h"
#include "river/stage/sides.h"
#include "river/river.h"

static const char RIVER[] = "#river";

void river_fill_head(fr_world *world)
{
    const river_state *s = world->river_state;
    river_head *head = &world->river_head;
    memset(head, 0, sizeof *head);
    for (int a = 0; a < 3; a++)
        head->cells[a] = world->river_model->curve.domain.n[a];
    head->scalar_count = world->river_model->scalar_count;
    head->particles = s->particles.count;
    head->left = s->particles_left;
    head->past_reach = s->past_reach;
    head->past_step = s->past_step;
    head->past_inflow = s->past_inflow;
    head->push = s->push;
}

fr_result river_read_head(fr_world *world, const fr_block *from, int count)
{
    const fr_block *block = world_find_block(from, count, RIVER), *ids = world_find_block(from, count, "#id");
    river_head head;
    if (!block || block->bytes != sizeof head)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint has no readable head");
    memcpy(&head, block->data, sizeof head);
    bool same = head.scalar_count == world->river_model->scalar_count;
    for (int a = 0; a < 3; a++)
        same = same && head.cells[a] == world->river_model->curve.domain.n[a];
    if (!same)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint belongs to another scene: it has %d x %d x %d cells and %d scalars", head.cells[0], head.cells[1],
                       head.cells[2], head.scalar_count);
    if (head.particles < 0 || !ids || ids->bytes / sizeof(int64_t) != (size_t)head.particles)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint is damaged: it speaks of %lld particles", (long long)head.particles);
    world->river_head = head;
    return river_particles_reserve(&world->river_state->particles, head.particles);
}

static void river_add_field(fr_world *world, const char *name, const field *f)
{
    world_add_block(world, name, f->block, f->count * sizeof(float));
}

/* Fields are given as they lie, ghosts included. */
void river_list_blocks(fr_world *world)
{
    static const char *const fluxes[3] = {"#flux_s", "#flux_t", "#flux_r"}, *const velocities[3] = {"u", "v", "w"},
                      *const past[3] = {"#past_s", "#past_t", "#past_r"};
    const river_model *m = world->river_model;
    const river_state *s = world->river_state;
    const river_particles *p = &s->particles;
    bool classic = m->def->river.scheme == FR_RIVER_CLASSIC;
    size_t n = (size_t)world->river_head.particles;
    world_add_block(world, RIVER, &world->river_head, sizeof world->river_head);
    for (int a = 0; a < m->curve.domain.dims; a++)
        river_add_field(world, classic ? velocities[a] : fluxes[a], classic ? &s->velocity[a] : &s->flux[a]);
    for (int a = 0; a < m->curve.domain.dims && !classic; a++)
        river_add_field(world, past[a], &s->past_flux[a]);
    river_add_field(world, "pressure", &s->pressure);
    for (int i = 0; i < m->scalar_count; i++)
        river_add_field(world, m->scalars[i].name, &s->scalars[i]);
    world_add_block(world, "#place", p->place, n * sizeof *p->place);
    world_add_block(world, "#age", p->age, n * sizeof *p->age);
    world_add_block(world, "#id", p->id, n * sizeof *p->id);
}

fr_result river_restored(fr_world *world)
{
    river_state *s = world->river_state;
    s->particles.count = world->river_head.particles;
    s->particles_left = world->river_head.left;
    s->past_step = world->river_head.past_step;
    s->past_reach = world->river_head.past_reach;
    s->past_inflow = world->river_head.past_inflow;
    s->push = world->river_head.push;
    river_rate_now(world);
    return stage_river_sides_update(world->river_model, s, s->now.time);
}
