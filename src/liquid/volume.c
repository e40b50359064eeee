/* The volume of the liquid, and how its drift is corrected. */
#include "liquid/liquid.h"

double liquid_volume(const liquid_run *run, const field *phi)
{
    const solids *solids = &run->flow.state->solids;
    return levelset_volume(run->liquid.levelset, phi, solids->any ? &solids->volume : NULL);
}

fr_result liquid_keep_volume(void *self)
{
    const liquid_step *step = self;
    liquid_state *l = &step->run->liquid;
    const solids *solids = &step->flow.s->solids;
    l->next_volume = l->volume;
    l->correction = 0;
    if (step->flow.def->liquid.volume == FR_LIQUID_VOLUME_KEPT)
        l->correction = levelset_shift(l->levelset, l->next_volume, solids->any ? &solids->volume : NULL, &l->next);
    return FR_OK;
}
