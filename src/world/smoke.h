/* The parts of the smoke method's world, see world_method. */
#ifndef FR_WORLD_SMOKE_H
#define FR_WORLD_SMOKE_H

#include "world/world.h"

fr_result smoke_views_create(fr_world *world);
fr_result smoke_view(fr_world *world);
fr_result smoke_probe(fr_world *world, const char *field, const double at[3], double *value);
void smoke_list_blocks(fr_world *world);
void smoke_fill_head(fr_world *world);
fr_result smoke_read_head(fr_world *world, const fr_block *from, int count);
fr_result smoke_restored(fr_world *world);
fr_result smoke_estimate(fr_world *world, fr_estimate *estimate);

#endif
