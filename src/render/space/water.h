/* 3D pictures of a liquid made of particles: its surface as clear water, or its particles as lit balls. */
#ifndef FR_RENDER_SPACE_WATER_H
#define FR_RENDER_SPACE_WATER_H

#include "render/draw/colormap.h"
#include "render/space/tracer.h"
#include "render/space/volume.h"

fr_result water_render(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view, const fr_range *range,
                       fr_image *image);

/* A scene ready to be looked at. */
typedef struct water {
    volume volume;           /* camera, lamps, obstacles, the studio around them */
    const tracer *tracer;
    double hair;             /* m: so far from a surface it is not met again */
    double contact;          /* m above the floor within which liquid touches it */
    double size;             /* m, the domain's least side */
    rgb absorption;          /* 1/m */
    rgb body;                /* light that a thick layer scatters back */
    rgb shade;               /* light that comes through the liquid, or between the balls, to what is in its shadow */
    const float *values;     /* of balls: number, and where it lies between `range` */
    fr_range range;
    colormap map;
} water;

/* What is seen of the liquid's surface, and of its particles. */
seen water_see_surface(const void *scene, const sight *sight);
seen water_see_balls(const void *scene, const sight *sight);

/* The studio behind the liquid, its floor in the liquid's shadow. */
rgb water_studio(const water *water, const sight *sight);

/* Share of the lamp that a point sees past the liquid, and of the sky above a surface of that normal; `noise` 0 … 1
   places the few lines that are tried. */
float water_lit(const water *water, vec3 p, float noise);
float water_open(const water *water, vec3 p, vec3 normal, float noise);

#endif
