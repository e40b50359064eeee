/* The liquid's part of a snapshot, besides that of its flow. */
#include <string.h>

#include "liquid/surface_cells.h"
#include "mac/coupling/coupling.h"

static const char LIQUID[] = "#liquid";

void liquid_fill_head(void *self)
{
    liquid_run *run = self;
    const liquid_state *l = &run->liquid;
    mac_fill_head(self);
    run->head = (liquid_head){.volume = l->volume,
                              .heat_due = l->heat_due,
                              .heat_in = l->heat_in,
                              .heat_out = l->heat_out,
                              .heat_drift = l->heat_drift,
                              .parcels = l->parcels.count,
                              .parcels_sorted = l->parcels.sorted,
                              .parcels_age = l->parcels.age,
                              .parcels_due = l->parcels_due,
                              .left = l->left,
                              .made = l->made,
                              .level_particles = l->level_particles ? l->level_particles->count : 0};
}

/* Each particle has a number in the block of this name. */
static bool liquid_holds(const fr_block *from, int count, const char *name, int64_t particles)
{
    const fr_block *block = method_find_block(from, count, name);
    return particles == 0 ? !block || block->bytes == 0
                          : block && particles > 0 && block->bytes / sizeof(float) == (size_t)particles;
}

fr_result liquid_read_head(void *self, const fr_block *from, int count)
{
    liquid_run *run = self;
    FR_TRY(mac_read_head(self, from, count));
    const fr_block *block = method_find_block(from, count, LIQUID);
    liquid_head head;
    if (!block || block->bytes != sizeof head)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint has no readable head");
    memcpy(&head, block->data, sizeof head);
    if (!liquid_holds(from, count, "#parcel_x", head.parcels) ||
        !liquid_holds(from, count, "#level_radius", head.level_particles))
        return fr_fail(FR_ERROR_INPUT,
                       "the checkpoint belongs to another scene: it has %lld parcels of liquid and %lld "
                       "particles at its surface",
                       (long long)head.parcels, (long long)head.level_particles);
    run->head = head;
    return run->tracker->restore ? run->tracker->restore(run) : FR_OK;
}

void liquid_list_blocks(void *self)
{
    liquid_run *run = self;
    mac_list_blocks(self);
    method_add_block(&run->flow.base, LIQUID, &run->head, sizeof run->head);
    if (!run->liquid.leaps)
        method_add_field_block(&run->flow.base, "#surface", &run->liquid.surface);
    method_add_field_block(&run->flow.base, "#middle", &run->liquid.middle);
    if (run->liquid.viscous_pressure.data)
        method_add_field_block(&run->flow.base, "#viscous_pressure", &run->liquid.viscous_pressure);
    liquid_layers_list_blocks(run);
    if (run->tracker->list_blocks)
        run->tracker->list_blocks(run);
}

fr_result liquid_restored(void *self)
{
    liquid_run *run = self;
    state *s = run->flow.state;
    run->liquid.volume = run->head.volume;
    run->liquid.heat_due = run->head.heat_due;
    run->liquid.heat_in = run->head.heat_in;
    run->liquid.heat_out = run->head.heat_out;
    run->liquid.heat_drift = run->head.heat_drift;
    run->liquid.parcels_due = run->head.parcels_due;
    run->liquid.left = run->head.left;
    run->liquid.made = run->head.made;
    if (run->tracker->restored)
        FR_TRY(run->tracker->restored(run));
    FR_TRY(mac_restored(self));
    s->surface = liquid_seen(run, &run->liquid.middle);
    if (s->coupling)
        FR_TRY(coupling_restored(s));
    const bool joined = s->coupling && s->now.steps > 0;
    liquid_mark_wet(run->flow.model, s, joined ? coupling_surface(s->coupling, s->surface) : s->surface);
    surface_cells_place_pressure(run);
    if (run->flow.model->scalar_count > 0)
        liquid_scalars_mark(run);
    run->liquid.shown = false;
    return levelset_find(run->liquid.levelset, run->liquid.leaps ? &run->liquid.middle : &run->liquid.surface);
}
