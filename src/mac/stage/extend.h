/* Carries values on into obstacles, so that interpolation beside them sees no hole. */
#ifndef FR_MAC_STAGE_EXTEND_H
#define FR_MAC_STAGE_EXTEND_H

#include "mac/state.h"

/* Flow along an obstacle that slips goes on inside it; one that sticks has its own motion there, and so has each deep
   inside. */
void stage_extend_velocity(const model *m, const state *s, field velocity[3]);

/* Faces of which less than half is open have their middle inside the obstacle and next to no fluid of their own. Before
   a projection they take the flow of their neighbours: left to themselves, what little flows in them would feed on
   itself. */
void stage_extend_slivers(const model *m, const state *s, field velocity[3]);

/* Obstacles with a temperature hold it; every other scalar goes on as at their surface. */
void stage_extend_scalar(const model *m, const state *s, int index, field *scalar);

/* What keeps its total has none inside obstacles: clean there, or at the obstacle's temperature. */
void stage_extend_clean(const model *m, const state *s, int index, field *scalar);

/* The pressure goes on as at the surface: a probe on it must not mix in what stands inside, and cells that a moving
   obstacle lays bare start with the pressure beside it. */
void stage_extend_pressure(const state *s, field *pressure);

#endif
