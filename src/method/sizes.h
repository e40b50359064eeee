/* How many cells a domain has, and how large they are. */
#ifndef FR_METHOD_SIZES_H
#define FR_METHOD_SIZES_H

#include <freshet/world.h>

#include "grid/domain.h"

#define SIZES_MOST_CELLS 65536
enum { SIZES_MOST_REFINE = 8 };

/* One number along the longest side makes cubes: the other sides get the nearest whole number of them, at least
   one, and the domain ends there. One number per axis divides each side as it is. */
void sizes_of_domain(const fr_domain_def *def, int cells[3], double spacing[3]);

/* The block of cells of a scene. */
domain sizes_domain(const fr_scene_def *def);

/* What is known of an estimate: axes, cells, their edges and the number of frames. */
void sizes_estimate(const fr_scene_def *def, fr_estimate *estimate);

/* The centre of a cell, m, and the cell that holds a point or is the nearest to it; cells are numbered along x first.
   In 2D z is 0. */
void sizes_centre(const domain *d, int64_t cell, double at[3]);
int64_t sizes_cell_at(const domain *d, const double at[3]);

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
