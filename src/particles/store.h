/* Particles as a structure of arrays. Vectors are records of four floats (x, y, z, unused), which load in one
   instruction; scalars are plain arrays. The store grows between steps only: a step never allocates. */
#ifndef FR_PARTICLES_STORE_H
#define FR_PARTICLES_STORE_H

#include <freshet/base.h>

typedef float particle_vector[4];

typedef struct particles {
    int64_t count, room;
    particle_vector *position;   /* m; z = 0 in 2D */
    particle_vector *velocity;   /* m/s */
    float *age;                  /* s since birth */
    int64_t *id;                 /* unique, constant over its life */
    uint8_t *mark;               /* scratch of a stage: why to remove it, or 0; see particles_sweep */
} particles;

/* Makes room for at least `room` particles and keeps those present. Grows by half or more, so that appending is
   amortized constant time. */
fr_result particles_reserve(particles *p, int64_t room);
void particles_destroy(particles *p);

/* Bytes per particle in memory, and in a snapshot (without marks). */
enum {
    PARTICLES_BYTES = 2 * sizeof(particle_vector) + sizeof(float) + sizeof(int64_t) + 1,
    PARTICLES_SAVED_BYTES = PARTICLES_BYTES - 1
};

/* Appends a particle with age 0 and mark 0. There must be room for it. */
void particles_add(particles *p, int64_t id, const double position[3], const double velocity[3]);

/* Removes particles whose mark is not 0 and counts them by mark; the others keep their order. */
enum { PARTICLES_MARKS = 8 };
void particles_sweep(particles *p, int64_t removed[PARTICLES_MARKS]);

#endif
