/* The liquid's part of a snapshot, besides that of its flow. */
#include <string.h>

#include "liquid/liquid.h"

static const char LIQUID[] = "#liquid";

void liquid_fill_head(void *self)
{
    liquid_run *run = self;
    mac_fill_head(self);
    memset(&run->head, 0, sizeof run->head);
    run->head.volume = run->liquid.volume;
}

fr_result liquid_read_head(void *self, const fr_block *from, int count)
{
    liquid_run *run = self;
    FR_TRY(mac_read_head(self, from, count));
    const fr_block *block = method_find_block(from, count, LIQUID);
    if (!block || block->bytes != sizeof run->head)
        return fr_fail(FR_ERROR_INPUT, "the checkpoint has no readable head");
    memcpy(&run->head, block->data, sizeof run->head);
    return FR_OK;
}

void liquid_list_blocks(void *self)
{
    liquid_run *run = self;
    mac_list_blocks(self);
    method_add_block(&run->flow.base, LIQUID, &run->head, sizeof run->head);
    method_add_field_block(&run->flow.base, "#surface", &run->liquid.surface);
    method_add_field_block(&run->flow.base, "#middle", &run->liquid.middle);
}

fr_result liquid_restored(void *self)
{
    liquid_run *run = self;
    run->liquid.volume = run->head.volume;
    FR_TRY(mac_restored(self));
    liquid_mark_wet(run->flow.model, run->flow.state, &run->liquid.middle);
    return levelset_find(run->liquid.levelset, &run->liquid.surface);
}
