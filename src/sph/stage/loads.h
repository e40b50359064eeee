/* Forces and torques of the liquid on solids. */
#ifndef FR_SPH_STAGE_LOADS_H
#define FR_SPH_STAGE_LOADS_H

#include "base/vec.h"
#include "sph/state.h"

/* Forgets the loads of the last step. */
void stage_sph_loads_clear(const sph_model *m, sph_state *s);

/* Adds the forces of the pressures of the last solve, a step dt long, on every body: the reaction to what pushes the
   liquid away from it. */
void stage_sph_loads_add(const sph_model *m, sph_state *s, double dt);

/* Particles [begin, end) of one of SPH_PARTS parts: the same for any number of threads, so that sums over parts are. */
typedef struct sph_part {
    int number;
    int64_t begin, end;
} sph_part;
sph_part sph_part_of(const sph_state *s, int number);

/* Adds a force on a body, in N at x, to the sum of one part of the liquid; stage_sph_loads_gather then adds the parts
   to the loads. */
void stage_sph_loads_push(const sph_model *m, sph_state *s, int part, int body, vec3 force, vec3 x);
void stage_sph_loads_gather(const sph_model *m, sph_state *s);

#endif
