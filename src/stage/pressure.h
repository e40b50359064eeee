/* Pressure: makes the flow divergence-free. */
#ifndef FR_STAGE_PRESSURE_H
#define FR_STAGE_PRESSURE_H

#include "model/state.h"

/* Gives the solver its matrix; once, obstacles stand still. */
void stage_pressure_prepare(const model *m, state *s);

/* Projects next_velocity, whose flow through the sides must be set; the pressure goes to next_pressure. Fills the report's
   iterations, residual and divergences. */
fr_result stage_pressure(const model *m, state *s, double dt);

#endif
