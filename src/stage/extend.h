/* Carries values on into obstacles, so that interpolation beside them sees no hole. */
#ifndef FR_STAGE_EXTEND_H
#define FR_STAGE_EXTEND_H

#include "model/state.h"

/* Flow along an obstacle that slips goes on inside it; one that sticks has its own motion there, and so has each deep
   inside. */
void stage_extend_velocity(const model *m, const state *s, field velocity[3]);

/* Obstacles with a temperature hold it; every other scalar goes on as at their surface. */
void stage_extend_scalar(const model *m, const state *s, int index, field *scalar);

/* Cells that a moving obstacle lays bare start with the pressure beside it. Nothing to do where all stand still. */
void stage_extend_pressure(const state *s, field *pressure);

#endif
