/* Sources of inks, and forces of a river. */
#ifndef FR_RIVER_STAGE_EMIT_H
#define FR_RIVER_STAGE_EMIT_H

#include "river/state.h"

/* Applies the sources of a scalar to a field: fixed values, or growth at a rate (S of eq. 11). */
fr_result stage_river_emit(const river_model *m, const river_state *s, int index, field *scalar);

/* Decay of scalars over the step: q' = −κ q (E of eq. 11). */
void stage_river_fade(const river_model *m, river_state *s, double dt);

/* Adds the forces at time t, over dt: to fluxes, or to velocities at the centres. Record in s->push how fast they make
   Courant numbers grow. */
fr_result stage_river_force_fluxes(const river_model *m, river_state *s, double dt, double t, field flux[3]);
fr_result stage_river_force_cells(const river_model *m, river_state *s, double dt, double t, field velocity[3]);

#endif
