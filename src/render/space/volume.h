/* 3D pictures: smoke, inks and obstacles by ray marching, and bodies by ray tracing. */
#ifndef FR_RENDER_SPACE_VOLUME_H
#define FR_RENDER_SPACE_VOLUME_H

#include "render/body/cast.h"
#include "render/space/camera.h"
#include "render/space/floor_map.h"
#include "render/space/light.h"
#include "render/space/rays.h"

#include <freshet/render.h>

fr_result volume_render(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view, fr_image *image);

/* A lit scene, ready to be rendered. */
typedef struct volume {
    camera camera;
    brick brick;
    lights lights;
    rgb background, obstacle;
    rgb ambient;           /* light from all around that falls on bodies */
    cast bodies;
    rays shadows;          /* of bodies; blocks nothing where there are none */
    bool swept;            /* the brick has their shadows too: the floor takes them from there */
    floor_map floor;       /* else from here: the share of the lamp */
} volume;

/* A view ray, and what it sees. */
typedef struct sight {
    vec3 from, along;      /* along: unit */
    double x, y;           /* 0 … 1 across and down the picture */
    float jitter;          /* 0 … 1: offset of the march within its first step */
} sight;
typedef struct seen {
    rgb colour;
    int surface;           /* id of what is behind the smoke, as from hard_find; other things have ids up to 255 */
} seen;

/* The pixel's own random number, 0 … 1, so that neighbouring pixels share no pattern. */
static inline float sight_noise(const sight *sight)
{
    return (sight->jitter - 0.25f) * 2;
}

/* Sets bodies, lights and colours, makes the brick and lights it. The camera must be set; volume_destroy frees what it
   holds, also after a failure. */
fr_result volume_prepare(volume *volume, const fr_frame *frame, const fr_scene_def *def);
void volume_destroy(volume *volume);

/* Once its bodies can be traced; `out` stays empty where they throw none (floor_shadow.c). */
fr_result floor_shadow_create(const volume *volume, floor_map *out);

/* The nearest thing that a ray does not go through: an obstacle or a body. */
typedef struct hard {
    double distance;       /* m */
    int surface;           /* its id: from solid_hit; of bodies HARD_BODIES and more, by body, side and stripe */
    int body;              /* in the list of bodies; −1: an obstacle */
    vec3 normal;           /* of a body: unit, outwards */
} hard;
enum { HARD_BODIES = 226, HARD_KINDS = 30 };
bool hard_find(const volume *volume, const sight *sight, hard *out);

/* The fraction of the lamp that a point sees past the bodies. `of`: the body that the point is of, or −1; `noise`,
   0 … 1, rotates the rays. */
float volume_lit(const volume *volume, vec3 p, int of, float noise);

/* What a liquid around a body does to its look. */
typedef struct hard_wet {
    rgb key;               /* share of the lamp's light that comes through it */
    float wet;             /* 0 dry … 1: darker, and it shines */
    bool under;            /* seen from within the liquid: nothing shines */
} hard_wet;
/* NULL: there is no liquid. */
rgb hard_shade(const volume *volume, const sight *sight, const hard *hit, const hard_wet *wet);
rgb body_shade(const volume *volume, const sight *sight, const hard *hit, const hard_wet *wet);

/* The obstacle surface that the ray hits: 0 none, 1 the obstacle's own, 2 … 7 a side of the domain that cuts it (left,
   right, bottom, top, back, front). */
int solid_hit(const brick *brick, const sight *sight, double *distance);
rgb solid_shade(const volume *volume, const sight *sight, double distance);

/* The fraction of the key light that reaches a point, through the smoke and with soft shadows of obstacles. */
float solid_lit(const brick *brick, vec3 p, vec3 towards);

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
