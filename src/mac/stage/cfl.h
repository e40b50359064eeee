/* How long a step may be. Returns numbers; only the world sets the step. */
#ifndef FR_MAC_STAGE_CFL_H
#define FR_MAC_STAGE_CFL_H

#include "mac/state.h"

/* Greatest Courant number per second of a flow: max |u_a|/h_a. */
double stage_cfl_rate_of(const model *m, const state *s, const field velocity[3]);

/* The same of the present flow and, once it is done, of the next. Both are found once a step. */
double stage_cfl_rate(const model *m, state *s);
double stage_cfl_next_rate(const model *m, state *s);

/* Greatest speed of the present flow at the centres, m/s. */
double stage_cfl_max_speed(const model *m, state *s);

/* The greatest acceleration over the cell size, 1/s²: of the scene's forces and the method's own, `most` (m/s²). */
double stage_cfl_acceleration(const model *m, double most);

#endif
