/* Rivers: flow on curvilinear structured grids. */
#ifndef FR_RIVER_SCHEME_H
#define FR_RIVER_SCHEME_H

#include "method/timing.h"
#include "river/state.h"

/* The state at t = 0. */
fr_result river_scheme_start(const river_model *m, river_state *s);

/* Steps from s->now.time to s->now.end; writes the next fields. */
fr_result river_scheme_step(const river_model *m, river_state *s, double dt, timing *t);

/* Makes the next fields the present ones. */
void river_scheme_accept(const river_model *m, river_state *s);

#endif
