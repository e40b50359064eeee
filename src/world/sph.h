/* The parts of SPH's world, see world_method. */
#ifndef FR_WORLD_SPH_H
#define FR_WORLD_SPH_H

#include "world/world.h"

fr_result sph_views_create(fr_world *world);
void sph_views_destroy(fr_world *world);
fr_result sph_view(fr_world *world);
fr_result sph_probe(fr_world *world, const char *field, const double at[3], double *value);
void sph_fill_head(fr_world *world);
fr_result sph_read_head(fr_world *world, const fr_block *from, int count);
void sph_list_blocks(fr_world *world);
fr_result sph_restored(fr_world *world);
fr_result sph_estimate(fr_world *world, fr_estimate *estimate);

#endif
