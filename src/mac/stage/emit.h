/* Sources: smoke, heat, inks and flow that enter inside shapes. */
#ifndef FR_MAC_STAGE_EMIT_H
#define FR_MAC_STAGE_EMIT_H

#include "mac/state.h"

/* What sources add to next_scalars, or hold there, in the step from s->now.time to s->now.end. */
fr_result stage_emit_scalars(const model *m, state *s);

/* Sets next_velocity inside the sources that hold a flow. */
fr_result stage_emit_velocity(const model *m, state *s);

/* Exponential decay of next_scalars over dt towards their clean value. */
void stage_dissipate(const model *m, state *s, double dt);

#endif
