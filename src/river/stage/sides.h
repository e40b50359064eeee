/* Boundary conditions of a river, for its flow and its inks. */
#ifndef FR_RIVER_STAGE_SIDES_H
#define FR_RIVER_STAGE_SIDES_H

#include "river/state.h"

/* Evaluates everything prescribed on the sides at time t. */
fr_result stage_river_sides_update(const river_model *m, river_state *s, double t);

/* Discharge at time t through the inflows that are the same all along their sides, m³/s. */
fr_result stage_river_sides_inflow(const river_model *m, const river_state *s, double t, double *inflow);

/* For the other inflows, face by face: makes `reach`, in units of the last step's change of the fluxes, so small that
   fluxes extrapolated by it do not overshoot those prescribed at time t. */
fr_result stage_river_sides_reach(const river_model *m, const river_state *s, double t, double *reach);

/* Whether water enters at a cell of a side at present: an inflow, or an open part of a bank. */
static inline bool stage_river_sides_lets_in(const river_model *m, const river_state *s, int side, int cell)
{
    return m->sides[side].kind == FR_RIVER_INFLOW || (s->side_open[side] && s->side_open[side][cell]);
}

/* With which speed, m/s; 0 where it does not. */
double stage_river_sides_entering(const river_model *m, const river_state *s, int side, int cell);

/* The same of speeds along the side and through it, all counted as positive. */
double stage_river_sides_driven(const river_model *m, const river_state *s, int side);

/* The flux, in the direction of the grid line, of water that enters through a face of a side with a speed. */
float stage_river_sides_through(const river_model *m, int side, int cell, double speed);

/* Sets the fluxes through banks, inflows and the sides of obstacles, and makes the ends of periodic axes equal. */
void stage_river_sides_close(const river_model *m, const river_state *s, field flux[3]);

/* Fills the ghosts of fluxes: beyond a bank they are mirrored according to its roughness (1: no-slip, 0: slip). */
void stage_river_sides_flux(const river_model *m, const river_state *s, field flux[3]);

/* The same for velocities, world components at one location, including the ghosts inside obstacles. */
void stage_river_sides_velocity(const river_model *m, const river_state *s, field velocity[3]);

/* Water beyond an outflow is at rest until it is drawn in: where it comes in now, velocities on the side and beyond it
   are those of water at rest. */
void stage_river_sides_still(const river_model *m, const river_state *s, field velocity[3]);

/* Subtracts from the fluxes across one axis the push of the sides that its faces lean against, from the velocities on
   these faces before and after advection (river/lean.c). */
void stage_river_sides_push_back(const river_model *m, const river_state *s, const field before[3],
                                 const field after[3], field *flux);

/* Ghosts of a scalar, including those inside obstacles. The inflow's value holds on the side, ghost = 2·inflow −
   inside; or, upwind, in the ghosts themselves, as the flux form and border cells need it. */
void stage_river_sides_scalar(const river_model *m, const river_state *s, int index, field *scalar);
void stage_river_sides_upwind(const river_model *m, const river_state *s, int index, field *scalar);

/* The side's prescribed velocity at one of its cells, m/s: along a bank, through an inflow. */
void stage_river_sides_own(const river_model *m, const river_state *s, int side, int cell, float velocity[3]);

/* Largest Courant number per second of the sides' velocities: a step must suit them even while the flow is at rest. */
double stage_river_sides_rate(const river_model *m, const river_state *s);

#endif
