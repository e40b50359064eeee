/* The particles of a liquid as columns, which are sorted and removed together. */
#ifndef FR_PARTICLES_FLUID_H
#define FR_PARTICLES_FLUID_H

#include "particles/cells.h"

typedef struct fluid {
    int64_t count, room;
    bool warm;                   /* set before anything else: it has an enthalpy */
    particle_vector *position;   /* m; z = 0 in 2D, the fourth component is 0 */
    particle_vector *velocity;   /* m/s */
    int64_t *id;                 /* unique, constant over its life */
    float *density;              /* relative to the rest density */
    float *pressure;             /* m²/s², (p/ρ₀)/density²: the solver's result, its initial guess in the next step */
    double *enthalpy; /* K; NULL unless warm. A float of 300 K would not hold the little that a short step conducts */
} fluid;

enum {
    FLUID_BYTES = 2 * sizeof(particle_vector) + sizeof(int64_t) + 2 * sizeof(float),
    FLUID_WARM_BYTES = sizeof(double) /* more */
};

/* Makes room for at least `room` particles and keeps those present. Arrays have room for eight more, for SIMD loops. */
fr_result fluid_reserve(fluid *f, int64_t room);
void fluid_destroy(fluid *f);

/* Appends a particle at rest density with zero pressure and enthalpy. There must be room for it. */
void fluid_add(fluid *f, int64_t id, const double position[3], const double velocity[3]);

/* Sorts all columns into cell order. `spare` is the buffer and must have as much room. */
void fluid_sort(fluid *f, fluid *spare, const cells *c);

/* Removes particles whose mark is not 0; the others keep their order. */
void fluid_sweep(fluid *f, const uint8_t *mark);

#endif
