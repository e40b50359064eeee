/* Smoke: Stable Fluids on the staggered grid, in 2D and 3D. */
#ifndef FR_SMOKE_SCHEME_H
#define FR_SMOKE_SCHEME_H

#include "mac/state.h"
#include "method/timing.h"

/* The state at t = 0: the scene's initial values, projected. */
fr_result smoke_scheme_start(const model *m, state *s);

/* One step from s->now.time to s->now.end, dt long, into the next fields. They are not exchanged: the caller does that
   when the step held. */
fr_result smoke_scheme_step(const model *m, state *s, double dt, timing *t);

/* Exchanges present and next fields: the step counts. The particles go along. */
void smoke_scheme_accept(const model *m, state *s, timing *t);

#endif
