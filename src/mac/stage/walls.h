/* Boundary conditions on the domain's sides. */
#ifndef FR_MAC_STAGE_WALLS_H
#define FR_MAC_STAGE_WALLS_H

#include "mac/state.h"

/* Evaluates the velocities and scalars that are given on the sides at time t. */
fr_result stage_walls_update(const model *m, state *s, double t);

/* Sets the flow through the sides; leaves the ghosts. */
void stage_walls_normal(const model *m, const state *s, field velocity[3]);
/* The same, and fills the ghosts of all components. */
void stage_walls_velocity(const model *m, const state *s, field velocity[3]);
/* The same for one component. `flow` says where fluid enters; it may have the component itself. */
void stage_walls_component(const model *m, const state *s, const field flow[3], field *component);

/* Fills the ghosts of scalar `index`. Through open sides clean air enters. `velocity` is the flow that carries it. */
void stage_walls_scalar(const model *m, state *s, int index, const field velocity[3], field *scalar);

/* Fills them for upwind fluxes: beyond open sides and inflows they are what the flow brings in, or where it leaves the
   value inside. */
void stage_walls_upwind(const model *m, state *s, int index, const field velocity[3], field *scalar);

/* Fills the ghosts of the means of scalar `index` over the cells of the flow, for forces on its faces. What is
   given on walls and inflows is left out: the flow through them is given, and feels no force. */
void stage_walls_mean(const model *m, state *s, int index, const field velocity[3], field *mean);

/* How the ghosts of a component or a scalar follow from its samples, for filling them and for diffusion. Scalars have
   zero gradient on open sides here. */
void stage_walls_velocity_rules(const model *m, const state *s, int axis, halo_side sides[6]);
void stage_walls_scalar_rules(const model *m, const state *s, int index, halo_side sides[6]);

/* Pressure is mirrored at solid sides and zero on open ones. */
void stage_walls_pressure(const model *m, field *pressure);

#endif
