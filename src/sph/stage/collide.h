/* Particles against solid things by geometry alone, as in appendix B of Macêdo's text: who comes nearer than a gap is
   put back to it and bounces. With walls made of particles it is the last resort for those that were squeezed through
   them: the gap is next to nothing, and they do not bounce. */
#ifndef FR_SPH_STAGE_COLLIDE_H
#define FR_SPH_STAGE_COLLIDE_H

#include "sph/stage/loads.h"

typedef struct sph_collide {
    const sph_model *m;
    sph_state *s;
    double dt;
    double gap;              /* m */
    double restitution[3];   /* share of the speed kept off a wall across x, y, z */
    bool bounces;            /* false: walls made of particles, only particles near those of obstacles are looked at */
    bool parallel;           /* no function of the scene is asked for distances */
} sph_collide;

sph_collide sph_collide_of(const sph_model *m, sph_state *s, double dt);

/* Particle n on its way from `from` to `to`, which the step has led it to with the velocity v: both are corrected at
   obstacles, then at the sides of the domain, and what it takes is added to the loads of its part. Counts corrections.
 */
fr_result stage_sph_collide(const sph_collide *c, int part, int64_t n, const double from[3], double to[3], double v[3],
                            double *count);

#endif
