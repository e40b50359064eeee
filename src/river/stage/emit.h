/* Inks and forces of a river. */
#ifndef FR_RIVER_STAGE_EMIT_H
#define FR_RIVER_STAGE_EMIT_H

#include "river/state.h"

/* Sources of a scalar into a field: held, or grown at their rate (S of eq. 11). */
fr_result stage_river_emit(const river_model *m, const river_state *s, int index, field *scalar);

/* Scalars that fade: q' = −κ q over the step (E of eq. 11). */
void stage_river_fade(const river_model *m, river_state *s, double dt);

/* Forces at time t, over dt: on fluxes, or on velocities at the centres. Note in s->push how fast they make Courant
 * numbers grow. */
fr_result stage_river_force_fluxes(const river_model *m, river_state *s, double dt, double t, field flux[3]);
fr_result stage_river_force_cells(const river_model *m, river_state *s, double dt, double t, field velocity[3]);

#endif
