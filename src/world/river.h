/* The parts of a river's world, see world_method. */
#ifndef FR_WORLD_RIVER_H
#define FR_WORLD_RIVER_H

#include "world/world.h"

fr_result river_views_create(fr_world *world);
void river_views_destroy(fr_world *world);
fr_result river_view(fr_world *world);
fr_result river_probe(fr_world *world, const char *field, const double at[3], double *value);
void river_fill_head(fr_world *world);
fr_result river_read_head(fr_world *world, const fr_block *from, int count);
void river_list_blocks(fr_world *world);
fr_result river_restored(fr_world *world);
void river_rate_now(fr_world *world);    /* state->rate of the present flow, when it did not come by a step */
fr_result river_estimate(fr_world *world, fr_estimate *estimate);

#endif
