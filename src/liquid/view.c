/* The liquid as a frame, its columns of the ledger, and its values at a point. */
#include <string.h>

#include "grid/sample.h"
#include "liquid/liquid.h"

fr_result liquid_view(void *self)
{
    liquid_run *run = self;
    liquid_state *l = &run->liquid;
    double volume = liquid_volume(run, &l->surface);
    run->flow.base.frame.can = 0;
    mac_view(&run->flow);
    method_add_field(&run->flow.base, "level_set", &l->surface);
    *method_column(&run->flow.base, "volume") = volume;
    *method_column(&run->flow.base, "volume_error") = l->volume > 0 ? volume / l->volume - 1 : 0;
    return FR_OK;
}

fr_result liquid_probe(void *self, const char *field, const double at[3], double *value)
{
    liquid_run *run = self;
    if (strcmp(field, "level_set"))
        return mac_probe(self, field, at, value);
    *value = sample_at(&run->liquid.surface, &run->flow.model->domain, at);
    return FR_OK;
}
