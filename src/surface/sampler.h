/* The implicit function of a liquid made of particles.

   Zhu and Bridson 2005, section 4: φ(x) = |x − x̄| − r with the mean place x̄ = Σ w x_i / Σ w of the particles within
   the reach R, w = (1 − (|x − x_i|/R)²)³. Here r is such that a flat surface lies where it belongs, half a spacing
   above the uppermost layer of particles: with layers z = ½, 3/2 … spacings below it, whose weights add up to (1 −
   z²/R²)⁴ in 3D and with the exponent 7/2 in 2D, r is the mean of z. Between two bodies of liquid x̄ lies in the air,
   and φ sees liquid there (Solenthaler, Schläfli and Pajarola 2007); hence no point is in the liquid that is farther
   than 1.2 spacings from every particle. Liquid at a wall has no surface towards it and does not draw back from it:
   close to a side of the domain φ goes on as it is a little farther in. */
#ifndef FR_SURFACE_SAMPLER_H
#define FR_SURFACE_SAMPLER_H

#include <freshet/frame.h>

typedef float sampler_vector[4];

typedef struct sampler {
    int dims;
    int64_t count;
    float spacing;               /* m, of the particles */
    float reach, radius;         /* m: R and r */
    float farthest;              /* m: from the nearest particle to a point in the liquid */
    double low[3], high[3];      /* m, a box around the particles */
    float domain[2][3];          /* m from `low`: the frame's corners; without end along z in 2D */
    float shore;                 /* m: how far from the sides φ is what it is at a side */
    float edge;                  /* m, of a bin */
    bool fine;                   /* the bins are so small that one without particles means a hole */
    int bins[3];
    int32_t *first;              /* per bin and one more: where its particles begin */
    sampler_vector *place;       /* m from `low`, by bins; in a bin in the frame's order */
    sampler_vector *velocity;
} sampler;

/* Of the frame's particles that are finite numbers. */
fr_result sampler_create(const fr_frame *frame, sampler *out);
void sampler_destroy(sampler *s);

/* φ at a point (m from `low`). */
float sampler_distance(const sampler *s, const float at[3]);

/* The same for liquid that ends at the domain's sides. */
float sampler_closed_distance(const sampler *s, const float at[3]);

/* The liquid's velocity there: the mean with the same weights; 0 where no particle is within reach. */
void sampler_velocity(const sampler *s, const float at[3], float velocity[3]);

/* Whether every bin that a box (m from `low`) touches has a particle. */
bool sampler_is_filled(const sampler *s, const double low[3], const double high[3]);

#endif
