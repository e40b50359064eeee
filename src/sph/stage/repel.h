/* Walls that repel (Monaghan 1994; Macêdo 4.2.2): each of their particles repels particles of the liquid nearer than
   r₀, the spacing, with the acceleration D ((r₀/r)^p₁ − (r₀/r)^p₂) x/r², and adds nothing to densities. D is of the
   order of the greatest speed squared, p₁ and p₂ are 4 and 2 or, as in Lennard-Jones's potential, 12 and 6. */
#ifndef FR_SPH_STAGE_REPEL_H
#define FR_SPH_STAGE_REPEL_H

#include "sph/state.h"

/* Adds dt times the repulsion to next.velocity, and as much to the loads of the bodies. */
void stage_sph_repel(const sph_model *m, sph_state *s, double dt);

/* The longest step in which a particle bounces off such walls without gaining speed, s. */
double stage_sph_repel_limit(const sph_model *m, sph_state *s, double wall_speed);

#endif
