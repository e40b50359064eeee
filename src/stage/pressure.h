/* Pressure: makes the flow divergence-free. */
#ifndef FR_STAGE_PRESSURE_H
#define FR_STAGE_PRESSURE_H

#include "model/state.h"

/* Gives the solver its matrix: at the start, and when obstacles have moved. */
void stage_pressure_prepare(const model *m, state *s);

/* For viscous flows, before the viscosity: next_velocity feels the present pressure, and stage_pressure then finds only
   the change of it. Without this the no-slip walls of a slow flow would slip by (Δt/ρ) ∇p, whatever the step (van Kan 1986). */
void stage_pressure_predict(const model *m, state *s, double dt);

/* Projects next_velocity, whose flow through the sides must be set; the pressure goes to next_pressure. Fills the report's
   iterations, residual and divergences. */
fr_result stage_pressure(const model *m, state *s, double dt);

/* The divergence of a flow between obstacles as they stand and move, 1/s. */
void stage_divergence(const model *m, const state *s, const field velocity[3], field *out);

/* The divergence of next_velocity as it stands, into the report: for flows that are given. */
void stage_pressure_measure(const model *m, state *s);

#endif
