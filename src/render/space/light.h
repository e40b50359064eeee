/* Light that reaches each voxel. */
#ifndef FR_RENDER_SPACE_LIGHT_H
#define FR_RENDER_SPACE_LIGHT_H

#include "render/space/brick.h"

/* Lamps of a 3D picture: a warm key light from one direction, a sky above, light from below off the floor. */
typedef struct lights {
    vec3 towards;       /* unit, to the key light */
    rgb key, sky, ground;
} lights;

lights lights_of_look(const fr_look_def *look);

/* Optical depth from each voxel out of the brick along `towards` (unit), smoke and obstacles alike; `spread` 0 … 0.2
   widens the beam as it goes, for a light with a size. */
fr_result light_sweep(const brick *brick, vec3 towards, float spread, float *depth);

/* Optical depth at a point; zero outside the brick. */
float light_depth_at(const brick *brick, const float *depth, vec3 p);

/* Turns each voxel's colour times extinction into the light that it sends to the eye. Sweeps first. */
fr_result light_brick(brick *brick, const lights *lights, vec3 eye);

/* Adds the glow of hot gas: `strength` at `hottest` kelvin above `ambient` and beyond. */
typedef struct light_glow {
    double strength, ambient, hottest;
} light_glow;
fr_result light_add_glow(brick *brick, const fr_field *temperature, const light_glow *glow);

#endif
