/* Boundary conditions of a river, for its flow and its inks. */
#ifndef FR_RIVER_STAGE_SIDES_H
#define FR_RIVER_STAGE_SIDES_H

#include "river/state.h"

/* Evaluates everything that is given on the sides at time t. */
fr_result stage_river_sides_update(const river_model *m, river_state *s, double t);

/* m³/s that come in through all inflows at time t. */
fr_result stage_river_sides_inflow(const river_model *m, double t, double *inflow);

/* Sets the fluxes through banks, inflows and the sides of obstacles, and joins the ends of axes that repeat. */
void stage_river_sides_close(const river_model *m, const river_state *s, field flux[3]);

/* Fills the ghosts of fluxes: beyond a bank they are mirrored by its roughness (1 sticks, 0 slips). */
void stage_river_sides_flux(const river_model *m, const river_state *s, field flux[3]);

/* The same of velocities, world components of one location, and of the skins of obstacles. */
void stage_river_sides_velocity(const river_model *m, const river_state *s, field velocity[3]);

/* Beyond an outflow water stands still until it is drawn in: where it comes in now, velocities on the side and beyond
 * it are those of still water. */
void stage_river_sides_still(const river_model *m, const river_state *s, field velocity[3]);

/* Subtracts from the fluxes of one axis the push of the sides that its faces lean against, by the velocities on these
   faces before and after they were carried (river/lean.c). */
void stage_river_sides_push_back(const river_model *m, const river_state *s, const field before[3],
                                 const field after[3], field *flux);

/* Ghosts and skins of a scalar. The value that flows in holds on the side, ghost = 2·inflow − inside; or, upwind, in
   the ghosts themselves, as flux form and border cells need it. */
void stage_river_sides_scalar(const river_model *m, const river_state *s, int index, field *scalar);
void stage_river_sides_upwind(const river_model *m, const river_state *s, int index, field *scalar);

/* m/s: the side's own velocity at one of its cells: of a bank along it, of an inflow through it. */
void stage_river_sides_own(const river_model *m, const river_state *s, int side, int cell, float velocity[3]);

/* Greatest Courant number per second of the sides' own velocities: a step must fit them even while the flow is still at
   rest. */
double stage_river_sides_rate(const river_model *m, const river_state *s);

#endif
