/* Friction within the liquid and on walls that it sticks to: the kinematic viscosity of the scene. */
#ifndef FR_SPH_STAGE_VISCOSITY_H
#define FR_SPH_STAGE_VISCOSITY_H

#include "sph/state.h"

/* Makes room for what a step dt long needs; nothing is allocated in a step that has it. */
fr_result stage_sph_viscosity_reserve(const sph_model *m, sph_state *s, double dt);

/* Lets it act on next.velocity over dt: explicitly where a few stages are stable, else implicitly. Fails when the
   implicit system cannot be solved. */
fr_result stage_sph_viscosity(const sph_model *m, sph_state *s, double dt);

/* Whether there is friction, and so little that it is taken explicitly. */
bool stage_sph_viscosity_slight(const sph_model *m, const sph_state *s, double dt);

/* Then, in one pass over the pairs: friction, and what the pressures of sph_state_equation do. */
void stage_sph_viscosity_press(const sph_model *m, sph_state *s, double dt);

#endif
