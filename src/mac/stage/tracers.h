/* Particles that the flow carries. */
#ifndef FR_MAC_STAGE_TRACERS_H
#define FR_MAC_STAGE_TRACERS_H

#include "mac/state.h"

/* Those that are there at t = 0, in the present flow. */
fr_result stage_tracers_seed(const model *m, state *s);

/* Room for those that will come from s->now.time to s->now.end, the step's begin and end. */
fr_result stage_tracers_reserve(const model *m, state *s);

/* Moves them from s->now.time to s->now.end when the step has held: `before` is the flow at its begin, s->velocity that
   at its end, both with their ghosts. Then removes those that left, that have lived out their life, or that are lost.
 */
void stage_tracers_move(const model *m, state *s, const field before[3]);

#endif
