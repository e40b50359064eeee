/* The schemes of the river method; see river.c. */
#ifndef FR_RIVER_PARTS_H
#define FR_RIVER_PARTS_H

#include "method/timing.h"
#include "river/state.h"

fr_result river_start_flux(const river_model *m, river_state *s);
fr_result river_start_classic(const river_model *m, river_state *s);

fr_result river_step_flux(const river_model *m, river_state *s, double dt, timing *t);
fr_result river_step_classic(const river_model *m, river_state *s, double dt, timing *t);

#endif
