/* Shared by the files that check a river. */
#ifndef FR_RIVER_CHECK_H
#define FR_RIVER_CHECK_H

#include <freshet/defs.h>

extern const char *const river_side_names[FR_SIDES];      /* "s0" … */

/* 2 or 3, by its cells. */
int river_dims(const fr_scene_def *def);

/* Whether water may enter through a side: an inflow, or a bank that has one. */
bool river_lets_in(const fr_river_side *side);

/* Speed with which water enters at a face of such a side, given by the shares of its place, m/s. */
fr_result river_entering(const fr_river_side *side, const double shares[3], double t, double *speed);

/* Whether the cells of a river's obstacles, sources and particles lie in its grid, and whether every inflow is
   connected to an outflow. */
fr_result river_check_blocks(const fr_scene_def *def);

#endif
