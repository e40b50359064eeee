/* The particles of a liquid: everything that goes along with each of them. All columns are moved together. */
#ifndef FR_PARTICLES_FLUID_H
#define FR_PARTICLES_FLUID_H

#include "particles/cells.h"

typedef struct fluid {
    int64_t count, room;
    particle_vector *position;   /* m; z = 0 in 2D, the fourth number 0 */
    particle_vector *velocity;   /* m/s */
    int64_t *id;                 /* who it is, for life */
    float *density;              /* as a share of the density at rest */
    float *pressure;             /* m²/s², p/ρ over density²: the solver's result, and its start in the next step */
} fluid;

enum { FLUID_BYTES = 2 * sizeof(particle_vector) + sizeof(int64_t) + 2 * sizeof(float) };

/* Room for at least `room`, what is there kept. Eight more fit behind the last, for loops that take eight at once. */
fr_result fluid_reserve(fluid *f, int64_t room);
void fluid_destroy(fluid *f);

/* Adds one at the end, where room has been made: at rest density, without pressure. */
void fluid_add(fluid *f, int64_t id, const double position[3], const double velocity[3]);

/* Brings all to the order of the cells, by way of `spare`, which must have as much room. */
void fluid_sort(fluid *f, fluid *spare, const cells *c);

/* Keeps those whose mark is 0, in their order. */
void fluid_sweep(fluid *f, const uint8_t *mark);

#endif
