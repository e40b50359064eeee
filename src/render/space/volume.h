/* 3D pictures: smoke, inks and obstacles by ray marching. */
#ifndef FR_RENDER_SPACE_VOLUME_H
#define FR_RENDER_SPACE_VOLUME_H

#include "render/space/camera.h"
#include "render/space/light.h"

#include <freshet/render.h>

fr_result volume_render(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view, fr_image *image);

/* A lit scene, ready to be rendered. */
typedef struct volume {
    camera camera;
    brick brick;
    lights lights;
    rgb background, obstacle;
} volume;

/* A view ray, and what it sees. */
typedef struct sight {
    vec3 from, along;      /* along: unit */
    double x, y;           /* 0 … 1 across and down the picture */
    float jitter;          /* 0 … 1: offset of the march within its first step */
} sight;
typedef struct seen {
    rgb colour;
    int surface;           /* id of what is behind the smoke, as from solid_hit; other things have ids up to 255 */
} seen;

/* Sets lights and colours and lights the brick. Camera and brick must be set. */
fr_result volume_light(volume *volume, const fr_frame *frame, const fr_scene_def *def);

/* The obstacle surface that the ray hits: 0 none, 1 the obstacle's own, 2 … 7 a side of the domain that cuts it (left,
   right, bottom, top, back, front). */
int solid_hit(const brick *brick, const sight *sight, double *distance);
rgb solid_shade(const volume *volume, const sight *sight, double distance);

/* Light of the smoke between the distances range[0] and range[1], and the transmittance for what lies behind. */
typedef struct marched {
    rgb light;
    float through;         /* the transmittance */
} marched;
marched march_smoke(const brick *brick, const sight *sight, const double range[2]);

/* The studio behind the scene: a seamless backdrop whose floor receives shadows. */
rgb backdrop_colour(const volume *volume, const sight *sight);

/* The distance in metres in which the ray passes about one voxel, also where voxels are not cubes. */
double sight_voxel(const brick *brick, const sight *sight);

/* The distances ≥ 0 at which the ray enters and leaves a box; false when it misses. */
bool sight_cross(const sight *sight, const double low[3], const double high[3], double range[2]);

#endif
