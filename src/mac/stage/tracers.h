/* Particles that the flow carries. */
#ifndef FR_MAC_STAGE_TRACERS_H
#define FR_MAC_STAGE_TRACERS_H

#include "mac/state.h"

/* Places the particles of t = 0 in the present flow. */
fr_result stage_tracers_seed(const model *m, state *s);

/* Makes room for those that are emitted from s->now.time to s->now.end. */
fr_result stage_tracers_reserve(const model *m, state *s);

/* Moves them from s->now.time to s->now.end once the step is accepted: `before` is the flow at its begin, s->velocity
   that at its end, both with their ghosts. Then removes those that left, reached their lifetime, or are lost. */
void stage_tracers_move(const model *m, state *s, const field before[3]);

#endif
