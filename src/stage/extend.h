/* Carries values on into obstacles, so that interpolation beside them sees no hole. */
#ifndef FR_STAGE_EXTEND_H
#define FR_STAGE_EXTEND_H

#include "model/state.h"

/* Flow along an obstacle that slips goes on inside it; one that sticks stands still. */
void stage_extend_velocity(const model *m, const state *s, field velocity[3]);

/* Obstacles with a temperature hold it; every other scalar goes on as at their surface. */
void stage_extend_scalar(const model *m, const state *s, int index, field *scalar);

/* What keeps its total has none inside obstacles: clean there, or at the obstacle's temperature. */
void stage_extend_clean(const model *m, const state *s, int index, field *scalar);

#endif
