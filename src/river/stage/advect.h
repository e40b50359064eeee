/* Advection on a curvilinear grid: back-traces in grid coordinates, with flux over volume as the speed. */
#ifndef FR_RIVER_STAGE_ADVECT_H
#define FR_RIVER_STAGE_ADVECT_H

#include "river/state.h"

/* next_flux from pushed_flux, advected by carrying_flux; the ghosts of both must be filled. Velocities are advected as
   world vectors, on the faces across each axis separately: a uniform flow stays uniform on any grid. */
void stage_river_advect_flow(const river_model *m, river_state *s, double dt);

/* next_scalars from scalars, advected by the same flow. */
void stage_river_advect_scalars(const river_model *m, river_state *s, double dt);

/* Largest Courant number of a flow per second, in cells. */
double stage_river_rate(const river_model *m, river_state *s, const field flux[3]);

#endif
