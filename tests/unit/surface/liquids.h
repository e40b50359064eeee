/* Liquids for tests: particles at the lattice points inside a shape, slightly perturbed. */
#ifndef FR_TEST_SURFACE_LIQUIDS_H
#define FR_TEST_SURFACE_LIQUIDS_H

#include "support/check.h"

#include <freshet/frame.h>

#include <stdlib.h>

typedef struct liquid {
    fr_frame frame;
    float (*places)[4], (*velocities)[4];
} liquid;

typedef bool (*liquid_shape)(double x, double y, double z);

/* Cells of edge 1 / n; `shake` in spacings; the velocity is that of a rigid rotation about y. */
static inline void liquid_make(liquid *l, const int cells[3], int n, liquid_shape covers, double shake)
{
    double d = 1.0 / n;
    size_t room = (size_t)cells[0] * (size_t)cells[1] * (size_t)cells[2];
    *l = (liquid){.frame = {.dims = cells[2] > 1 ? 3 : 2, .cells = {cells[0], cells[1], cells[2]}, .spacing = {d, d, d},
                            .has_particles = true, .particle_spacing = d},
                  .places = calloc(room, sizeof *l->places), .velocities = calloc(room, sizeof *l->velocities)};
    int64_t *count = &l->frame.particle_count;
    for (int k = 0; k < cells[2]; k++)
        for (int j = 0; j < cells[1]; j++)
            for (int i = 0; i < cells[0]; i++) {
                double p[3] = {(i + 0.5) * d, (j + 0.5) * d, cells[2] > 1 ? (k + 0.5) * d : 0};
                if (!covers(p[0], p[1], p[2]))
                    continue;
                for (int a = 0; a < l->frame.dims; a++)
                    l->places[*count][a] = (float)(p[a] + shake * d * check_noise(3 * (uint64_t)*count + (uint64_t)a));
                l->velocities[*count][0] = (float)p[2];
                l->velocities[*count][2] = (float)-p[0];
                ++*count;
            }
    l->frame.particles = (fr_vectors){l->places[0], 4};
    l->frame.particle_velocity = (fr_vectors){l->velocities[0], 4};
}

static inline void liquid_free(liquid *l)
{
    free(l->places);
    free(l->velocities);
}

#endif
