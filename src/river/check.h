/* What the files that check a river share. */
#ifndef FR_RIVER_CHECK_H
#define FR_RIVER_CHECK_H

#include <freshet/defs.h>

extern const char *const river_side_names[FR_SIDES];      /* "s0" … */

/* 2 or 3: its cells tell. */
int river_dims(const fr_scene_def *def);

/* Whether the cells of a river's obstacles, sources and particles lie in its grid, and water that comes in finds its
 * way out. */
fr_result river_check_blocks(const fr_scene_def *def);

#endif
