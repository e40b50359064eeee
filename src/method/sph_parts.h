/* The schemes of the SPH method. Each leaves velocity, density and pressure of the step's end in `next`; see sph.c. */
#ifndef FR_METHOD_SPH_PARTS_H
#define FR_METHOD_SPH_PARTS_H

#include "method/timing.h"
#include "model/sph_state.h"

fr_result sph_step_dfsph(const sph_model *m, sph_state *s, double dt, timing *t);

/* All that pushes the liquid but pressure, over dt, on next.velocity. */
fr_result sph_step_forces(const sph_model *m, sph_state *s, double dt, timing *t);

#endif
