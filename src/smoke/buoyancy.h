/* Buoyancy of warm and of smoky air. */
#ifndef FR_SMOKE_BUOYANCY_H
#define FR_SMOKE_BUOYANCY_H

#include "smoke/parts.h"

/* Buoyancy from `scalars`, whose ghosts must be filled, on `velocity`. Gravity itself is balanced by the
   hydrostatic pressure and left out of both. */
void smoke_buoyancy(const smoke_step *step, const field *scalars, double dt, field velocity[3]);

/* Its greatest acceleration in the present fields, m/s². */
double smoke_buoyancy_most(const fr_smoke_def *settings, state *s);

#endif
