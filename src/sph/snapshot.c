/* What SPH saves and takes up again. */
#include <string.h>

#include "sph/floating/floating.h"
#include "sph/heat/heat.h"
#include "sph/sph.h"

static const char SPH[] = "#sph";

void sph_fill_head(void *self)
{
    sph_run *run = self;
    const sph_state *s = run->state;
    run->head = (sph_head){s->fluid.count, s->born, s->left, s->lost, s->pull};
}

fr_result sph_read_head(void *self, const fr_block *from, int count)
{
    sph_run *run = self;
    const fr_block *block = method_find_block(from, count, SPH), *ids = method_find_block(from, count, "#id");
    sph_head head;
    if (!block || block->bytes != sizeof head)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint has no readable head");
    memcpy(&head, block->data, sizeof head);
    if (head.particles < 0 || !ids || ids->bytes / sizeof(int64_t) != (size_t)head.particles)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint is damaged: it speaks of %lld particles",
                       (long long)head.particles);
    run->head = head;
    run->attributes_known = false;
    return sph_state_reserve(run->model, run->state, head.particles);
}

void sph_list_blocks(void *self)
{
    sph_run *run = self;
    const fluid *f = &run->state->fluid;
    size_t n = (size_t)run->head.particles;
    method_add_block(&run->base, SPH, &run->head, sizeof run->head);
    method_add_block(&run->base, "#position", f->position, n * sizeof *f->position);
    method_add_block(&run->base, "#velocity", f->velocity, n * sizeof *f->velocity);
    method_add_block(&run->base, "#id", f->id, n * sizeof *f->id);
    method_add_block(&run->base, "#density", f->density, n * sizeof *f->density);
    method_add_block(&run->base, "#pressure", f->pressure, n * sizeof *f->pressure);
    if (run->state->heat) {
        method_add_block(&run->base, "#enthalpy", f->enthalpy, n * sizeof *f->enthalpy);
        method_add_block(&run->base, "#heat", &run->state->heat->account, sizeof run->state->heat->account);
    }
    if (run->state->floating) {
        sph_floating *bodies = run->state->floating;
        const size_t count = (size_t)bodies->fleet.count;
        method_add_block(&run->base, "#bodies", bodies->fleet.of, sizeof *bodies->fleet.of * count);
        method_add_block(&run->base, "#bodies_sums", &bodies->fleet.sums, sizeof bodies->fleet.sums);
        method_add_block(&run->base, "#bodies_mean", bodies->of, sizeof *bodies->of * count);
    }
    const sph_walls *w = &run->state->walls;
    if (w->press)
        method_add_block(&run->base, "#wall_pressure", w->unsorted.pressure,
                         (size_t)w->count * sizeof *w->unsorted.pressure);
    if (w->sticks)
        method_add_block(&run->base, "#wall_age", w->unsorted.age, (size_t)w->count * sizeof *w->unsorted.age);
    if (run->model->source_count > 0)
        method_add_block(&run->base, "#layers", run->state->layers,
                         sizeof(double) * (size_t)run->model->source_count);
}

fr_result sph_restored(void *self)
{
    sph_run *run = self;
    const sph_head *head = &run->head;
    sph_state *s = run->state;
    s->fluid.count = head->particles;
    s->born = head->born;
    s->left = head->left;
    s->lost = head->lost;
    s->pull = head->pull;
    s->near_known = false;
    return FR_OK;
}
