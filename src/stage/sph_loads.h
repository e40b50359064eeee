/* What the liquid does to solid things. */
#ifndef FR_STAGE_SPH_LOADS_H
#define FR_STAGE_SPH_LOADS_H

#include "base/vec.h"
#include "model/sph_state.h"

/* Forgets the loads of the last step. */
void stage_sph_loads_clear(const sph_model *m, sph_state *s);

/* Adds the forces with which the pressures of the last solve, a step dt long, push on every body: as much as they push the liquid
   away from it. */
void stage_sph_loads_add(const sph_model *m, sph_state *s, double dt);

/* Adds a force in N on a wall particle to the load of its body. Not for several threads at once. */
void stage_sph_loads_push(sph_state *s, int32_t wall, vec3 force);

#endif
