/* Collisions of particles with solids by geometry alone, as in appendix B of Macêdo's text: a particle nearer than a
   gap is put back to it and bounces. With walls made of particles it is the last resort for particles squeezed through
   them: the gap is tiny, and they do not bounce. */
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

/* Particle n moves from `from` to `to` with the velocity v: `to` and v are corrected at obstacles, then at the sides of
   the domain, and the forces are added to the loads of its part. Counts corrections. */
fr_result stage_sph_collide(const sph_collide *c, int part, int64_t n, const double from[3], double to[3], double v[3],
                            double *count);

#endif
