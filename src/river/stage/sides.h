/* What the sides of a river do to its flow and to what it carries. */
#ifndef FR_RIVER_STAGE_SIDES_H
#define FR_RIVER_STAGE_SIDES_H

#include "river/state.h"

/* Evaluates everything that is given on the sides at time t. */
fr_result stage_river_sides_update(const river_model *m, river_state *s, double t);

/* m³/s that come in through all inflows at time t. */
fr_result stage_river_sides_inflow(const river_model *m, double t, double *inflow);

/* Sets the fluxes through banks, inflows and the sides of obstacles, and joins the ends of axes that repeat. */
void stage_river_sides_close(const river_model *m, const river_state *s, field flux[3]);

/* Fills the ghosts of fluxes: beside a bank what is mirrored there, by its roughness (1 sticks, 0 slips). */
void stage_river_sides_flux(const river_model *m, const river_state *s, field flux[3]);

/* The same of velocities, world components of one location, and of the skins of obstacles. */
void stage_river_sides_velocity(const river_model *m, const river_state *s, field velocity[3]);

/* Beyond an outflow water stands still until it is drawn in: where it comes in now, velocities on the side and beyond
 * it are those of still water. */
void stage_river_sides_still(const river_model *m, const river_state *s, field velocity[3]);

/* Takes from the fluxes of one axis what the sides push back that its faces lean against, by the velocities on these
   before and after they were carried (river/lean.c). */
void stage_river_sides_push_back(const river_model *m, const river_state *s, const field before[3],
                                 const field after[3], field *flux);

/* Ghosts and skins of a scalar: what an inflow brings stands on the side; or beyond it, as fluxes and border cells need
 * it. */
void stage_river_sides_scalar(const river_model *m, const river_state *s, int index, field *scalar);
void stage_river_sides_upwind(const river_model *m, const river_state *s, int index, field *scalar);

/* m/s: the velocity that a side gives what it touches, at a cell there. */
void stage_river_sides_own(const river_model *m, const river_state *s, int side, int cell, float velocity[3]);

/* Greatest Courant number per second of what sides move with, as they are now: a flow at rest beside a bank that moves
 * is at rest no longer. */
double stage_river_sides_rate(const river_model *m, const river_state *s);

#endif
