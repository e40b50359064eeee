/* The flow's part of a snapshot: how it is written and restored. */
#include <string.h>

#include "mac/coupling/coupling.h"
#include "mac/stage/move.h"
#include "mac/stage/walls.h"
#include "mac/run.h"

/* No scalar has a # in its name. */
static const char FLOW[] = "#flow", ACCOUNTS[] = "#accounts";

void mac_fill_head(void *self)
{
    mac_run *run = self;
    const state *s = run->state;
    mac_head *head = &run->head;
    memset(head, 0, sizeof *head);
    for (int a = 0; a < 3; a++)
        head->cells[a] = run->model->domain.n[a];
    head->scalar_count = run->model->scalar_count;
    head->past_reach = s->past_reach;
    head->past_step = s->past_step;
    head->kinds = run->model->tracer_count;
    head->particles = s->particles.count;
    head->left = s->particles_left;
    head->lost = s->particles_lost;
}

fr_result mac_read_head(void *self, const fr_block *from, int count)
{
    mac_run *run = self;
    const fr_block *block = method_find_block(from, count, FLOW);
    mac_head head;
    if (!block || block->bytes != sizeof head)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint has no readable head");
    memcpy(&head, block->data, sizeof head);
    bool same = head.scalar_count == run->model->scalar_count;
    for (int a = 0; a < 3; a++)
        same = same && head.cells[a] == run->model->domain.n[a];
    if (!same)
        return fr_fail(FR_ERROR_INPUT,
                       "the checkpoint belongs to another scene: it has %d x %d x %d cells and %d scalars",
                       head.cells[0], head.cells[1], head.cells[2], head.scalar_count);
    const fr_block *ids = method_find_block(from, count, "#id");
    if (head.kinds != run->model->tracer_count ||
        (head.kinds && (!ids || ids->bytes / sizeof(int64_t) != (size_t)head.particles)))
        return fr_fail(FR_ERROR_INPUT,
                       "the checkpoint belongs to another scene: it has %lld kinds of particles, %lld in all",
                       (long long)head.kinds, (long long)head.particles);
    run->head = head;
    return head.kinds ? particles_reserve(&run->state->particles, head.particles) : FR_OK;
}

static void mac_list_particles(mac_run *run)
{
    particles *p = &run->state->particles;
    size_t n = (size_t)run->head.particles;
    method_add_block(&run->base, "#position", p->position, n * sizeof *p->position);
    method_add_block(&run->base, "#velocity", p->velocity, n * sizeof *p->velocity);
    method_add_block(&run->base, "#age", p->age, n * sizeof *p->age);
    method_add_block(&run->base, "#id", p->id, n * sizeof *p->id);
}

/* Fields are listed as they lie in memory, ghosts included. */
void mac_list_blocks(void *self)
{
    mac_run *run = self;
    static const char *const names[3] = {"u", "v", "w"}, *const past[3] = {"#past_u", "#past_v", "#past_w"};
    const model *m = run->model;
    state *s = run->state;
    method_add_block(&run->base, FLOW, &run->head, sizeof run->head);
    method_add_block(&run->base, ACCOUNTS, s->accounts, (size_t)m->scalar_count * sizeof *s->accounts);
    for (int a = 0; a < m->domain.dims; a++)
        method_add_field_block(&run->base, names[a], &s->velocity[a]);
    for (int a = 0; a < m->domain.dims && s->past_velocity[0].block; a++)
        method_add_field_block(&run->base, past[a], &s->past_velocity[a]);
    method_add_field_block(&run->base, "pressure", &s->pressure);
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].varies)
            method_add_field_block(&run->base, m->scalars[i].name, &s->scalars[i]);
    if (m->tracer_count)
        mac_list_particles(run);
    if (s->coupling)
        coupling_list_blocks(s->coupling, &run->base);
}

fr_result mac_restored(void *self)
{
    mac_run *run = self;
    const mac_head *head = &run->head;
    state *s = run->state;
    s->rate = 0;
    s->past_reach = head->past_reach;
    s->past_step = head->past_step;
    s->particles.count = head->particles;
    s->particles_left = head->left;
    s->particles_lost = head->lost;
    FR_TRY(stage_move(run->model, s, s->now.before, s->now.time));
    return stage_walls_update(run->model, s, s->now.time);
}
