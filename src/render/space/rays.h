/* Rays towards the lights: soft shadows, and the share of the sky that a point sees. */
#ifndef FR_RENDER_SPACE_RAYS_H
#define FR_RENDER_SPACE_RAYS_H

#include "render/space/tracer.h"

/* What may stand in the light. */
typedef struct rays {
    const tracer *blocks[2]; /* NULL: nothing */
    vec3 towards;            /* to the lamp, unit */
    double hair;             /* m: offset of rays that start on a surface, against self-intersection */
    double near;             /* m: only what is nearer than this hides the sky */
} rays;

/* Width of the lamp at distance 1. */
static const double rays_lamp = 0.09;

/* The fraction of the lamp that a point sees. Casts a few rays first, and the others only where those disagree: at the
   edge of a shadow. `noise`, 0 … 1, rotates them. */
float rays_lit(const rays *r, vec3 p, float noise);

/* The fraction of the sky above a surface with that normal, by so many rays. */
float rays_open(const rays *r, vec3 p, vec3 normal, int lines, float noise);

#endif
