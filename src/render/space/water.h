/* 3D pictures of a liquid: its surface as clear water or as clay, or its particles as lit balls. */
#ifndef FR_RENDER_SPACE_WATER_H
#define FR_RENDER_SPACE_WATER_H

#include "render/draw/colormap.h"
#include "render/space/tracer.h"
#include "render/space/volume.h"

fr_result water_render(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view, const fr_range *range,
                       fr_image *image);

/* A scene with liquid, ready to be rendered. */
typedef struct water {
    volume volume;           /* camera, lights, obstacles and the studio around them */
    const tracer *tracer;
    double hair;             /* m: offset of rays that start on a surface, against self-intersection */
    double contact;          /* m: liquid lower than this above the floor touches it */
    int sky_lines;           /* rays towards the sky */
    double size;             /* m, the domain's shortest side */
    rgb absorption;          /* 1/m */
    rgb body;                /* light that a thick layer scatters back */
    rgb shade;               /* light that reaches the shadow through the liquid or between the balls */
    rgb clay;
    const float *values;     /* per ball; coloured through `range` and `map` */
    fr_range range;
    colormap map;
} water;

/* Render the liquid along a ray: its surface as clear water; as clay, or its particles, where `values` are set. */
seen water_see_surface(const void *scene, const sight *sight);
seen water_see_matt(const void *scene, const sight *sight);

/* The studio behind the liquid, with the liquid's shadow on its floor. */
rgb water_studio(const water *water, const sight *sight);

/* The fraction of the lamp that a point sees past the liquid, and that of the sky above a surface with that normal.
   `noise`, 0 … 1, rotates the few rays that are cast. */
float water_lit(const water *water, vec3 p, float noise);
float water_open(const water *water, vec3 p, vec3 normal, float noise);

#endif
