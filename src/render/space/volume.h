/* 3D pictures: smoke, inks and obstacles by ray marching. */
#ifndef FR_RENDER_SPACE_VOLUME_H
#define FR_RENDER_SPACE_VOLUME_H

#include "render/space/camera.h"
#include "render/space/light.h"

#include <freshet/render.h>

fr_result volume_render(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view, fr_image *image);

/* A lit scene, ready to be looked at. */
typedef struct volume {
    camera camera;
    brick brick;
    lights lights;
    rgb background, obstacle;
} volume;

/* What one line of sight meets. */
typedef struct sight {
    vec3 from, along;      /* along: unit */
    double x, y;           /* 0 … 1 across and down the picture */
    float jitter;          /* 0 … 1: where in its first step the march begins */
} sight;
typedef struct seen {
    rgb colour;
    int surface;           /* what is behind the smoke, as solid_hit says; other numbers up to 255 for other things */
} seen;
seen volume_see(const volume *volume, const sight *sight);

/* Lamps, colours and light of a volume whose camera and brick are there. */
fr_result volume_light(volume *volume, const fr_frame *frame, const fr_scene_def *def);

/* The obstacles' surface along the sight: 0 when it misses them, 1 their own, from 2 on a side of the domain that cuts
   them (left, right, bottom, top, back, front). */
int solid_hit(const brick *brick, const sight *sight, double *distance);
rgb solid_shade(const volume *volume, const sight *sight, double distance);

/* Light from smoke up to `range[1]`, over what lies behind. */
typedef struct marched {
    rgb light;
    float through;         /* transmittance */
} marched;
marched march_smoke(const brick *brick, const sight *sight, const double range[2]);

/* The studio behind the scene: a seamless backdrop whose floor takes shadows. */
rgb backdrop_colour(const volume *volume, const sight *sight);

/* Metres along the sight in which it passes about one voxel, whatever their shape. */
double sight_voxel(const brick *brick, const sight *sight);

/* Distances at which the sight enters and leaves a box, not before 0; false when it misses. */
bool sight_cross(const sight *sight, const double low[3], const double high[3], double range[2]);

#endif
