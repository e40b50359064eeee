/* The bodies of a picture: where each of them stands at the frame's time. */
#ifndef FR_RENDER_BODY_CAST_H
#define FR_RENDER_BODY_CAST_H

#include "base/vec.h"
#include "render/body/models.h"

#include <freshet/frame.h>

typedef struct placed_body {
    int number; /* in the scene */
    const fr_model *model;
    const texture *texture;
    double turn[3][3], at[3]; /* its points go to turn·p + at */
    double low[3], high[3];   /* m, a box around it in the world */
    double centre[3];         /* m, of mass, in its own coordinates */
    vec3 middle;              /* m, of a ball around it in the world */
    double radius;
    bool convex; /* it casts no shadow on itself */
    bool edged;  /* its edges are to be anti-aliased */
} placed_body;

typedef struct cast {
    placed_body *list; /* those that are there */
    int count;
    tracer_place *places; /* of the same, once they are traced */
    tracer *tracer;       /* NULL: none are there, or cast_trace was not called */
    fr_models *own;       /* made for this picture; NULL: the look has them */
    fr_frame joined;      /* the picture's frame with bodies in the field "solid": as fluids meet them */
    fr_frame drawn;       /* the same without: bodies are drawn by themselves */
    fr_field *joined_fields, *drawn_fields;
    float *joined_solid, *drawn_solid;
} cast;

/* Without bodies both frames are the picture's own. cast_destroy also after a failure. */
fr_result cast_create(const fr_frame *frame, const fr_scene_def *def, cast *out);
void cast_destroy(cast *b);

/* Prepares them for rays; needs Embree where any are there. */
fr_result cast_trace(cast *b);

/* A cone of light that comes down to a point; `spread`: its radius at distance 1. */
typedef struct cast_light {
    vec3 to, towards;
    double spread;
    int of; /* the point is of this body in the list; −1: of none */
} cast_light;

/* Whether any of them may stand in it. */
bool cast_shades(const cast *b, const cast_light *light);

/* A point of the world in a body's own coordinates, and the other way round for a direction. */
vec3 body_point(const placed_body *body, vec3 p);
vec3 body_direction(const placed_body *body, vec3 own);

/* Makes both frames; `obstacles`: the scene has some (cast_fields.c). */
fr_result cast_fields(const fr_frame *frame, bool obstacles, cast *b);

#endif
