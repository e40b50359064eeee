/* How many cells a domain has, and how large they are. */
#ifndef FR_METHOD_SIZES_H
#define FR_METHOD_SIZES_H

#include <freshet/defs.h>

#include "grid/domain.h"

#define SIZES_MOST_CELLS 65536
enum { SIZES_MOST_REFINE = 8 };

/* One number along the longest side makes cubes: the other sides get the nearest whole number of them, at least
   one, and the domain ends there. One number per axis divides each side as it is. */
void sizes_of_domain(const fr_domain_def *def, int cells[3], double spacing[3]);

/* The block of cells of a scene. */
domain sizes_domain(const fr_scene_def *def);

/* Where a block of the scene's domain begins, and along which axes it repeats. */
void sizes_place(const fr_scene_def *def, domain *d);

/* The box around its cells, m. */
void sizes_bounds(const fr_scene_def *def, double low[3], double high[3]);

/* The same block in cells `refine` times as fine along every axis. */
domain sizes_refined(const domain *d, int refine);

/* Whether the samples of every field can be numbered with 32 bits, ghosts and all. */
bool sizes_can_be_numbered(const domain *d);

/* Frames after frame 0. */
int sizes_frames(const fr_time_def *time);

#endif
