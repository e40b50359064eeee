/* Extends values into obstacles, so that interpolation beside them sees no hole. */
#ifndef FR_MAC_STAGE_EXTEND_H
#define FR_MAC_STAGE_EXTEND_H

#include "mac/state.h"

/* Inside an obstacle that slips the flow beside it continues; one that sticks has its own motion there, and so has
   every obstacle deeper inside than the layers reach. The flow of a liquid continues into the air. */
void stage_extend_velocity(const model *m, const state *s, field velocity[3]);
/* The same of a flow that is 0 wherever the map does not know it. */
void stage_extend_known(const model *m, const state *s, field velocity[3]);
/* The same for one component that has been extended before, but into the air it continues with its slope. */
void stage_extend_slope(const model *m, const state *s, int axis, field *component);

/* Faces of which less than half is open have their middle inside the obstacle and hardly any fluid of their own. Before
   a projection they take the flow of their neighbours: left to themselves, what little flows in them would grow. */
void stage_extend_slivers(const model *m, const state *s, field velocity[3]);

/* Obstacles with a temperature hold it; every other scalar continues as at their surface. */
void stage_extend_scalar(const model *m, const state *s, int index, field *scalar);

/* A scalar that keeps its total must have none inside obstacles: clean there, or at the obstacle's temperature. */
void stage_extend_clean(const model *m, const state *s, int index, field *scalar);

/* The pressure continues as at the surface: a probe there must not mix in what stands inside, and cells that a moving
   obstacle leaves start with the pressure beside them. */
void stage_extend_pressure(const state *s, field *pressure);

#endif
