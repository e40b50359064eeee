/* Obstacles that move. */
#ifndef FR_MAC_STAGE_MOVE_H
#define FR_MAC_STAGE_MOVE_H

#include "mac/state.h"

/* Puts the obstacles where they stand at time `to`, with their mean motion since `from`, and gives the pressure its new
   matrix where that changed. Fields are left alone. */
fr_result stage_move(const model *m, state *s, double from, double to);

/* Shortens a step from s->now.time on until no point of an obstacle goes further than a cell in it (further than
   time.cfl cells where that is less): more, and a thin blade would jump over what it should push. */
fr_result stage_move_limit(const model *m, const state *s, double *dt);

#endif
