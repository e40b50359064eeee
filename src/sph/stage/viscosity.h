/* Friction within the liquid and on walls that it sticks to: the kinematic viscosity of the scene. */
#ifndef FR_SPH_STAGE_VISCOSITY_H
#define FR_SPH_STAGE_VISCOSITY_H

#include "sph/state.h"

/* Reserves the working memory that a step dt long needs; the step itself allocates nothing. */
fr_result stage_sph_viscosity_reserve(const sph_model *m, sph_state *s, double dt);

/* Lets it act on next.velocity over dt: explicitly where a few stages are stable, else implicitly. Fails when the
   implicit system cannot be solved. */
fr_result stage_sph_viscosity(const sph_model *m, sph_state *s, double dt);

/* Whether there is friction, and so little that it is taken explicitly. */
bool stage_sph_viscosity_slight(const sph_model *m, const sph_state *s, double dt);

/* In that case: friction and the acceleration by the pressures of sph_state_equation, in one pass over the pairs. Fails
   when memory runs out. */
fr_result stage_sph_viscosity_press(const sph_model *m, sph_state *s, double dt);

#endif
