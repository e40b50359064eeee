/* Saving and restoring a river. */
#include <string.h>

#include "river/stage/particles.h"
#include "river/stage/sides.h"
#include "river/river.h"

static const char RIVER[] = "#river";

void river_fill_head(void *self)
{
    river_run *run = self;
    const river_state *s = run->state;
    river_head *head = &run->head;
    memset(head, 0, sizeof *head);
    for (int a = 0; a < 3; a++)
        head->cells[a] = run->model->curve.domain.n[a];
    head->scalar_count = run->model->scalar_count;
    head->particles = s->particles.count;
    head->left = s->particles_left;
    head->past_step = s->past_step;
    head->past_inflow = s->past_inflow;
    head->push = s->push;
}

fr_result river_read_head(void *self, const fr_block *from, int count)
{
    river_run *run = self;
    const fr_block *block = method_find_block(from, count, RIVER), *ids = method_find_block(from, count, "#id");
    river_head head;
    if (!block || block->bytes != sizeof head)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint has no readable head");
    memcpy(&head, block->data, sizeof head);
    bool same = head.scalar_count == run->model->scalar_count;
    for (int a = 0; a < 3; a++)
        same = same && head.cells[a] == run->model->curve.domain.n[a];
    if (!same)
        return fr_fail(FR_ERROR_INPUT,
                       "the checkpoint belongs to another scene: it has %d x %d x %d cells and %d scalars",
                       head.cells[0], head.cells[1], head.cells[2], head.scalar_count);
    if (head.particles < 0 || !ids || ids->bytes / sizeof(int64_t) != (size_t)head.particles)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint is damaged: it speaks of %lld particles",
                       (long long)head.particles);
    run->head = head;
    return river_particles_reserve(&run->state->particles, head.particles);
}

/* Fields are saved as they are in memory, ghosts included. */
void river_list_blocks(void *self)
{
    river_run *run = self;
    static const char *const fluxes[3] = {"#flux_s", "#flux_t", "#flux_r"}, *const velocities[3] = {"u", "v", "w"},
                      *const past[3] = {"#past_s", "#past_t", "#past_r"};
    const river_model *m = run->model;
    const river_state *s = run->state;
    const river_particles *p = &s->particles;
    bool classic = m->scheme == FR_RIVER_CLASSIC;
    size_t n = (size_t)run->head.particles;
    method_add_block(&run->base, RIVER, &run->head, sizeof run->head);
    for (int a = 0; a < m->curve.domain.dims; a++)
        method_add_field_block(&run->base, classic ? velocities[a] : fluxes[a],
                               classic ? &s->velocity[a] : &s->flux[a]);
    for (int a = 0; a < m->curve.domain.dims && !classic; a++)
        method_add_field_block(&run->base, past[a], &s->past_flux[a]);
    method_save_fields(run);
    method_add_block(&run->base, "#place", p->place, n * sizeof *p->place);
    method_add_block(&run->base, "#age", p->age, n * sizeof *p->age);
    method_add_block(&run->base, "#id", p->id, n * sizeof *p->id);
}

fr_result river_restored(void *self)
{
    river_run *run = self;
    river_state *s = run->state;
    s->particles.count = run->head.particles;
    s->particles_left = run->head.left;
    s->past_step = run->head.past_step;
    s->past_inflow = run->head.past_inflow;
    s->push = run->head.push;
    river_rate_now(run);
    return stage_river_sides_update(run->model, s, s->now.time);
}
