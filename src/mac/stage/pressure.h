/* Pressure: makes the flow divergence-free. */
#ifndef FR_MAC_STAGE_PRESSURE_H
#define FR_MAC_STAGE_PRESSURE_H

#include "mac/state.h"

/* Builds the pressure problem: at the start, and when obstacles have moved. */
void stage_pressure_prepare(const model *m, state *s);

/* velocity −= (Δt/ρ) ∇pressure. Viscous flows do this before the viscosity, with the pressure of the last step: without
   it the no-slip walls of a slow flow would slip by (Δt/ρ) ∇p, whatever the step (van Kan 1986). */
void stage_pressure_push(const model *m, const field *pressure, field velocity[3], double dt);

/* What is sought. */
typedef enum pressure_kind {
    PRESSURE_WHOLE,      /* next_pressure itself; the present pressure is the first guess */
    PRESSURE_CHANGE      /* what to add to next_pressure, whose gradient next_velocity has felt already */
} pressure_kind;

/* Projects next_velocity, whose flow through the sides must be set; the pressure goes to next_pressure. Ghosts are
   filled unless there is a free surface, beyond which the velocity is still to be extended. Adds to the report's
   iterations and fills its residual and divergences. `friction` is how long the viscosity has acted on next_velocity,
   s: it has felt the gradient φ that is now taken out, too, and a change of the pressure is φ − μ (friction/dt) ∇·ũ
   (the rotational form: Timmermans, Minev & van de Vosse 1996). With φ alone the pressure of a slow flow would take
   h²/ν times as many steps to settle. */
fr_result stage_pressure(const model *m, state *s, double dt, pressure_kind kind, double friction);

/* The divergence of a flow between obstacles as they stand and move, 1/s. */
void stage_divergence(const model *m, const state *s, const field velocity[3], field *out);

/* The divergence of next_velocity as it stands, into the report: for flows that are given. */
void stage_pressure_measure(const model *m, state *s);

#endif
