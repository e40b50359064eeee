/* Small scenes of particle liquids for tests, and sums over their particles. */
#ifndef TESTS_SUPPORT_LIQUIDS_H
#define TESTS_SUPPORT_LIQUIDS_H

#include <math.h>

#include "support/worlds.h"

typedef struct liquid {
    fr_scene_def def;
    fr_shape_def shape;
    fr_fill_def fill;
    fr_force_def force;
} liquid;

/* A square or cubic domain from −1 to 1, open on all sides and without gravity, in which the shape floats. The shape is
   that of `made->shape`, to be set up by the caller. */
static inline void liquids_float(liquid *made, int dims, double spacing, double duration)
{
    made->def = fr_default_scene(FR_METHOD_SPH);
    made->fill = (fr_fill_def){.shape.shape = &made->shape};
    made->def.domain =
        (fr_domain_def){.dims = dims, .size = {2, 2, dims == 3 ? 2 : 0}, .origin = {-1, -1, dims == 3 ? -1 : 0}};
    made->def.time = (fr_time_def){.duration = duration, .fps = 1 / duration};
    made->def.sph.spacing = spacing;
    made->def.fill = &made->fill;
    made->def.fill_count = 1;
    made->def.gravity[1] = 0;
    for (int side = 0; side < 2 * dims; side++)
        made->def.walls[side].kind = FR_WALL_OPEN;
}

typedef struct liquid_sums {
    double momentum[3], angular[3];   /* means over the particles: m/s, m²/s */
    double centre[3], second[3];      /* m, and mean squares from the centre, m² */
    double speed;                     /* mean |v|, m/s */
} liquid_sums;

static inline liquid_sums liquids_sum(fr_world *world)
{
    const fr_frame *frame = fr_world_frame(world);
    liquid_sums sums = {0};
    double per = 1.0 / (double)frame->particle_count;
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *x = frame->particles.data + n * frame->particles.stride,
                    *v = frame->particle_velocity.data + n * frame->particle_velocity.stride;
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3, c = (a + 2) % 3;
            sums.momentum[a] += per * v[a];
            sums.centre[a] += per * x[a];
            sums.second[a] += per * x[a] * x[a];
            sums.angular[a] += per * ((double)x[b] * v[c] - (double)x[c] * v[b]);
        }
        sums.speed += per * sqrt((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]);
    }
    for (int a = 0; a < 3; a++)
        sums.second[a] -= sums.centre[a] * sums.centre[a];
    return sums;
}

#endif
