/* A river's step by the scheme of Barroso & Celes. */
#ifndef FR_METHOD_RIVER_CLASSIC_H
#define FR_METHOD_RIVER_CLASSIC_H

#include "method/timing.h"
#include "model/river_state.h"

/* From the present to next_velocity, next_pressure and next_scalars. */
fr_result river_step_classic(const river_model *m, river_state *s, double dt, timing *t);

#endif
