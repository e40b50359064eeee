/* What pressures that are known do to the liquid, in one pass over the pairs. */
#ifndef FR_STAGE_SPH_ACCELERATE_H
#define FR_STAGE_SPH_ACCELERATE_H

#include "model/sph_state.h"

/* Pressures of the equation of state for the present densities, p/ρ over density² in m²/s², into next.pressure; those of walls as unknowns of a
   step of dt, into walls.push. */
void stage_sph_state_equation(const sph_model *m, sph_state *s, double dt);

/* Adds to next.velocity what next.pressure does in dt, and Monaghan's artificial viscosity between particles that approach each
   other, of strength `viscosity` (his α; 0: none). Leaves in s->unknown what stage_sph_loads_add wants. */
void stage_sph_accelerate(const sph_model *m, sph_state *s, double dt, double viscosity);

#endif
