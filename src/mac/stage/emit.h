/* Sources: smoke, heat, inks and flow that enter inside shapes. */
#ifndef FR_MAC_STAGE_EMIT_H
#define FR_MAC_STAGE_EMIT_H

#include "mac/state.h"

/* Works on next_scalars, for the step from s->now.time to s->now.end. */
fr_result stage_emit_scalars(const model *m, state *s);

/* Works on next_velocity. */
fr_result stage_emit_velocity(const model *m, state *s);

/* Scalars decay: exact for the step. */
void stage_dissipate(const model *m, state *s, double dt);

#endif
