/* Smoke: Stable Fluids on the staggered grid, in 2D and 3D. */
#ifndef FR_SMOKE_SCHEME_H
#define FR_SMOKE_SCHEME_H

#include "smoke/smoke.h"

/* The state at t = 0: the scene's initial values, projected. */
fr_result smoke_scheme_start(mac_run *run);

/* One step from now.time to now.end, dt long, into the next fields. They become the present by
   smoke_scheme_accept. */
fr_result smoke_scheme_step(mac_run *run, double dt);

/* Makes the next fields the present ones, and carries the particles along. */
void smoke_scheme_accept(mac_run *run);

#endif
