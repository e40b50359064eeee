/* What the domain's sides do to the fields. */
#ifndef FR_MAC_STAGE_WALLS_H
#define FR_MAC_STAGE_WALLS_H

#include "mac/state.h"

/* Evaluates everything that is given on the sides at time t. */
fr_result stage_walls_update(const model *m, state *s, double t);

/* Sets the flow through the sides and fills the ghosts of all components. */
void stage_walls_velocity(const model *m, const state *s, field velocity[3]);

/* Fills the ghosts of scalar `index`. Through open sides clean air enters. `velocity` is the flow that carries it. */
void stage_walls_scalar(const model *m, state *s, int index, const field velocity[3], field *scalar);

/* Fills them as fluxes need them: beyond open sides and inflows stands what the flow brings in there, or what is inside
   where it leaves. */
void stage_walls_upwind(const model *m, state *s, int index, const field velocity[3], field *scalar);

/* Fills the ghosts of the means of scalar `index` over the cells of the flow, for forces on its faces: what walls and
   inflows give does not count there, because the flow through them is given. */
void stage_walls_mean(const model *m, state *s, int index, const field velocity[3], field *mean);

/* The rules for one component and for one solid-walled scalar; also what diffusion needs. */
void stage_walls_velocity_rules(const model *m, const state *s, int axis, halo_side sides[6]);
void stage_walls_scalar_rules(const model *m, const state *s, int index, halo_side sides[6]);

/* Pressure is mirrored at solid sides and zero on open ones. */
void stage_walls_pressure(const model *m, field *pressure);

#endif
