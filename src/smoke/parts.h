/* What the schemes of the smoke method share. Each function works on the state's next fields; see smoke.c. */
#ifndef FR_SMOKE_PARTS_H
#define FR_SMOKE_PARTS_H

#include "method/timing.h"
#include "mac/state.h"

/* Sides, obstacles and ghosts of a flow. */
void smoke_finish_velocity(const model *m, state *s, field velocity[3]);

/* Obstacles and ghosts of the scalars, for the flow that will carry them. */
void smoke_finish_scalars(const model *m, state *s, field *scalars, const field velocity[3]);

/* All scalars from the present to the end of the step, carried by `flow`. Once they are carried, the obstacles go to
   where they stand at the end: whatever is extended or projected after this sees them there. */
fr_result smoke_scalars(const model *m, state *s, const field flow[3], double dt, timing *t);

/* What acts on next_velocity over dt besides buoyancy, forces as they are at time `middle`; then the flow held by
   sources, and by the sides as they are at time `after`. */
fr_result smoke_forces(const model *m, state *s, double dt, double middle, double after, timing *t);

/* The steps of the schemes, from s->now.time to s->now.end. */
fr_result smoke_step_single(const model *m, state *s, double dt, timing *t);
fr_result smoke_step_second(const model *m, state *s, double dt, timing *t);
fr_result smoke_step_reflection(const model *m, state *s, double dt, timing *t);
fr_result smoke_step_central(const model *m, state *s, double dt, timing *t);

#endif
