/* The number and size of the cells of a domain. */
#ifndef FR_METHOD_SIZES_H
#define FR_METHOD_SIZES_H

#include <freshet/frame.h>
#include <freshet/world.h>

#include "grid/domain.h"

#define SIZES_MOST_CELLS 65536
enum { SIZES_MOST_REFINE = 8 };

/* With one number for the longest side the cells are cubes: the other sides are rounded to a whole number of cells, at
   least one. With one number per axis each side keeps its length. */
void sizes_of_domain(const fr_domain_def *def, int cells[3], double spacing[3]);

/* The block of cells of a scene. */
domain sizes_domain(const fr_scene_def *def);

/* What the program takes before the first field or particle, with its libraries and their buffers. */
#define SIZES_PROGRAM_BYTES 13e6

/* Sets the basic members of an estimate: dims, cells, spacing, frames, and the memory of the program alone. */
void sizes_estimate(const fr_scene_def *def, fr_estimate *estimate);

/* The centre of a cell (m; z = 0 in 2D). Cells are numbered with x fastest. */
void sizes_centre(const domain *d, int64_t cell, double at[3]);

/* Sets the origin and the periodic axes from the scene. */
void sizes_place(const fr_scene_def *def, domain *d);

/* The box around its cells, m. */
void sizes_bounds(const fr_scene_def *def, double low[3], double high[3]);

/* The same block with cells `refine` times finer along every axis. */
domain sizes_refined(const domain *d, int refine);

/* Whether 32-bit indices suffice for all samples of a field, ghost cells included. */
bool sizes_can_be_numbered(const domain *d);

/* Frames after frame 0. */
int sizes_frames(const fr_time_def *time);

/* Of the rigid bodies in a frame of the cache, bytes: seven datasets with their headers, and their numbers. */
double sizes_bodies(int count);

#endif
