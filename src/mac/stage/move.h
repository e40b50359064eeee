/* Obstacles that move. */
#ifndef FR_MAC_STAGE_MOVE_H
#define FR_MAC_STAGE_MOVE_H

#include "mac/state.h"

/* Moves the bodies from time `from` to `to`, lays them on every grid where they are then, and gives the pressure its
   new matrix where that changed a face. Fields are left alone. */
fr_result stage_move(const model *m, state *s, double from, double to);

/* The same over the step from s->now.time to s->now.end; rigid bodies drift to its middle, and feel what the scene does
   to them. */
fr_result stage_move_bodies(const model *m, state *s);

/* Shortens a step that starts at s->now.time until no point of an obstacle goes further than a cell in it, or than
   time.cfl cells where that is less: in a longer step a thin blade would jump over what it should push. */
fr_result stage_move_limit(const model *m, const state *s, double *dt);

#endif
