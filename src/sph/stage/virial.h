/* The pressure at a particle from the forces between particles, by the virial theorem: the mean of the normal stresses

       P_i = −ρ_i ½ Σ_j V (p_i/ρ_i² + p_j/ρ_j²) (x_i − x_j)·∇W_ij/dims,

   walls among the j. The solvers' own p would be the same if sums were integrals. It is not for two reasons. Only sums
   of two p act, so a p that is too high in one layer and too low in the next has no effect: beside floors it may be off
   by a tenth. And sums of V x·∇W/dims are 1.02 on the lattice (3D, support of two spacings), but 0.99 to 1 in water
   that has come to rest out of it. */
#ifndef FR_SPH_STAGE_VIRIAL_H
#define FR_SPH_STAGE_VIRIAL_H

#include "sph/state.h"

/* In Pa, from fluid.pressure and walls.unsorted.pressure; puts what walls push with in walls.push, in m²/s². Neighbours
 * must be known (stage_sph_near). */
void stage_sph_virial(const sph_model *m, sph_state *s, float *pressure);

#endif
