/* How many cells a domain has, and how large they are. */
#ifndef FR_MODEL_SIZES_H
#define FR_MODEL_SIZES_H

#include <freshet/defs.h>

#include "grid/domain.h"

#define SIZES_MOST_CELLS 65536
enum { SIZES_MOST_REFINE = 8 };

/* One number along the longest side makes cubes: the other sides get the nearest whole number of them, at least
   one, and the domain ends there. One number per axis divides each side as it is. */
void sizes_of_domain(const fr_domain_def *def, int cells[3], double spacing[3]);

/* The block of a scene. Of a liquid of particles it is the lattice from the domain's corner on which they start. */
domain sizes_domain(const fr_scene_def *def);

/* How long the domain is: cells divide it, so it ends with them; a liquid's sides stand where the scene says. */
double sizes_length(const fr_scene_def *def, const domain *d, int axis);

/* The same block in cells `refine` times as fine along every axis. */
domain sizes_refined(const domain *d, int refine);

/* Whether the samples of every field can be numbered with 32 bits, ghosts and all. */
bool sizes_can_be_numbered(const domain *d);

/* Frames after frame 0. */
int sizes_frames(const fr_time_def *time);

#endif
