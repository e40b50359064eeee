/* Transport on a curvilinear grid: traces run in grid coordinates, with the fluxes per volume as their speed. */
#ifndef FR_RIVER_STAGE_ADVECT_H
#define FR_RIVER_STAGE_ADVECT_H

#include "river/state.h"

/* next_flux from pushed_flux, carried by carrying_flux; the ghosts of both must be filled. Velocities are carried as
   vectors of the world, on the faces across each axis separately: a uniform flow stays uniform, whatever the grid. */
void stage_river_advect_flow(const river_model *m, river_state *s, double dt);

/* next_scalars from scalars, by the same flow. */
void stage_river_advect_scalars(const river_model *m, river_state *s, double dt);

/* Greatest Courant number per second of a flow, in cells. */
double stage_river_rate(const river_model *m, river_state *s, const field flux[3]);

#endif
