/* 3D pictures of a liquid: its surface as clear or opaque material or in false colours, or its particles as lit
   balls. */
#ifndef FR_RENDER_SPACE_WATER_H
#define FR_RENDER_SPACE_WATER_H

#include "render/draw/colormap.h"
#include "render/draw/pattern.h"
#include "render/space/tracer.h"
#include "render/space/volume.h"

fr_result water_render(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view, const fr_range *range,
                       fr_image *image);

/* What a clear liquid does to light. */
typedef struct dye {
    rgb absorption;          /* 1/m */
    rgb body;                /* light that a thick layer scatters back */
    rgb shade;               /* light that reaches the shadow through it */
} dye;

/* Light that is found once for a picture, at points that pixels interpolate between (bake.c): a few rays for each pixel
   would be grain. */
typedef struct bake {
    float *open;             /* per vertex: share of the sky that it sees; NULL: balls, clear liquid */
    rgb *soft;               /* wax, per vertex: light that comes out again after some way below the surface */
    floor_map floor;         /* the same as `open` on the floor */
} bake;

/* The glow of a part of the surface, as a lamp. */
enum { WATER_LAMPS = 64 };
typedef struct glow_lamp {
    vec3 at, towards;        /* towards: the mean normal, not longer than 1 */
    rgb power;               /* light times m² */
    double size;             /* m² */
} glow_lamp;
typedef struct glow {
    rgb *light;              /* per vertex; NULL: nothing glows */
    glow_lamp lamps[WATER_LAMPS];
    int count;
} glow;

/* A scene with liquid, ready to be rendered. */
typedef struct water {
    volume volume;           /* camera, lights, obstacles and the studio around them */
    const tracer *tracer;
    const fr_mesh *mesh;     /* NULL: balls */
    rays light;              /* past the liquid alone */
    rays all;                /* past the liquid and bodies */
    double hair;             /* m: offset of rays that start on a surface, against self-intersection */
    double contact;          /* m: liquid lower than this above the floor touches it */
    double size;             /* m, the domain's shortest side */
    fr_material material;
    rgb own;                 /* its colour */
    bool dyed;               /* that is not just water's */
    double index;            /* of refraction */
    dye dye;
    pattern pattern;
    const float *values;     /* per ball or vertex: shares of `range`, coloured through `map`. NULL: its own colours */
    fr_range range;
    bool decades;            /* by logarithms */
    colormap map;
    bake bake;
    glow glow;
} water;

/* Render the liquid along a ray: its surface as clear material; as opaque one, or its particles. */
seen water_see_surface(const void *scene, const sight *sight);
seen water_see_matt(const void *scene, const sight *sight);

/* The studio behind the liquid, with the liquid's shadow on its floor; an obstacle or a body in front of it, `under`:
   seen from within a clear liquid. */
rgb water_studio(const water *water, const sight *sight);
rgb water_hard(const water *water, const sight *sight, const hard *hit, bool under);

/* The colour of the surface where a ray meets it, and of a clear liquid what it does to light there (material.c). */
rgb material_colour(const water *water, const tracer_hit *hit);
dye material_dye(const water *water, rgb colour);
/* The texture coordinates there, where the mesh has them. */
void material_place(const water *water, const tracer_hit *hit, float place[3]);
/* Sets what follows from the look. */
void material_prepare(const fr_look_def *look, water *water);
bool material_is_clear(fr_material material);

/* Values at the corners of a triangle, where a ray meets it. */
float material_mean(const water *water, const tracer_hit *hit, const float *values);
rgb material_mean_light(const water *water, const tracer_hit *hit, const rgb *values);

/* Once tracer, mesh and lights are set. */
fr_result bake_create(const water *water, bake *bake);
void bake_destroy(bake *bake);

/* The glow of lava (glow.c), by the temperature at its vertices; what it adds to a surface at p with that normal. */
fr_result glow_create(const fr_frame *frame, const fr_mesh *mesh, glow *glow);
void glow_destroy(glow *glow);
rgb glow_at(const glow *glow, vec3 p, vec3 normal);

#endif
