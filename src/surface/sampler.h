/* The implicit function of a liquid made of particles.

   Zhu and Bridson 2005, section 4: φ(x) = |x − x̄| − r with the mean position x̄ = Σ w x_i / Σ w of the particles
   within the reach R, w = (1 − (|x − x_i|/R)²)³. r is chosen so that a flat surface lies half a spacing above the
   uppermost layer of particles: with layers at the depths z = ½, 3/2 … spacings, whose weights add up to (1 − z²/R²)⁴
   in 3D and to the power 7/2 in 2D, r is the weighted mean of z.

   Between two bodies of liquid x̄ lies in the air, and φ would be negative there (Solenthaler, Schläfli and Pajarola
   2007). So a point farther than 1.2 spacings from every particle is never in the liquid.

   Liquid touches walls and obstacles without a gap: close to a side of the domain, and close to an obstacle and in it,
   φ is extrapolated as a constant from a point a little farther away. */
#ifndef FR_SURFACE_SAMPLER_H
#define FR_SURFACE_SAMPLER_H

#include "surface/probe.h"

typedef float sampler_vector[4];

typedef struct sampler {
    int dims;
    int64_t count;
    float spacing;               /* m, of the particles */
    float reach, radius;         /* m: R and r */
    float farthest;              /* m: largest distance of a point in the liquid from the nearest particle */
    double low[3], high[3];      /* m, a box around the particles */
    float domain[2][3];          /* m from `low`: the domain's corners; infinite along z in 2D */
    float shore;                 /* m: closer to a side or an obstacle than this φ is constant */
    probe solid;                 /* distance to the obstacles */
    float edge;                  /* m, of a bin */
    bool fine;                   /* the bins have their usual size, so that an empty bin means a hole */
    int bins[3];
    int32_t *first;              /* per bin the index of its first particle; and the end */
    sampler_vector *place;       /* positions, m from `low`, sorted by bin; within a bin in the frame's order */
    sampler_vector *velocity;
} sampler;

/* Uses the frame's particles with finite positions. */
fr_result sampler_create(const fr_frame *frame, sampler *out);
void sampler_destroy(sampler *s);

/* φ at a point (m from `low`). */
float sampler_distance(const sampler *s, const float at[3]);

/* The liquid's velocity at a point: the mean with the same weights; 0 where no particle is within reach. */
void sampler_velocity(const sampler *s, const float at[3], float velocity[3]);

/* Whether every bin that a box (m from `low`) overlaps has a particle. */
bool sampler_is_filled(const sampler *s, const double low[3], const double high[3]);

#endif
