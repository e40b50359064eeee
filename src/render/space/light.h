/* Lighting of the voxels. */
#ifndef FR_RENDER_SPACE_LIGHT_H
#define FR_RENDER_SPACE_LIGHT_H

#include "render/space/brick.h"

/* The lights of a 3D picture: a warm directional key light, the sky from above, light reflected by the floor from
   below. */
typedef struct lights {
    vec3 towards;       /* unit, to the key light */
    rgb key, sky, ground;
} lights;

lights lights_of_look(const fr_look_def *look);

/* Optical depth from each voxel to the brick's boundary along `towards` (unit), through smoke and obstacles. `spread`,
   0 … 0.2, widens the beam with distance, for an area light. */
fr_result light_sweep(const brick *brick, vec3 towards, float spread, float *depth);

/* Optical depth at a point; zero outside the brick. */
float light_depth_at(const brick *brick, const float *depth, vec3 p);

/* Runs both sweeps, then replaces each voxel's colour times extinction by the light that it sends to the eye. */
fr_result light_brick(brick *brick, const lights *lights, vec3 eye);

/* The glow of hot gas reaches `strength` at `hottest` kelvin above `ambient`. */
typedef struct light_glow {
    double strength, ambient, hottest;
} light_glow;
fr_result light_add_glow(brick *brick, const fr_field *temperature, const light_glow *glow);

#endif
