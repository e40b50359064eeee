/* What bodies are made of, as pictures show it: grain, veins and stripes by the place in the body, so that they turn
   with it. */
#ifndef FR_RENDER_BODY_TEXTURE_H
#define FR_RENDER_BODY_TEXTURE_H

#include "render/draw/colour.h"

#include <freshet/defs.h>
#include <freshet/surface.h>

typedef struct texture {
    fr_body_material material; /* not FR_BODY_BY_DENSITY */
    rgb colour, other;         /* other: of rings, veins or every second stripe */
    double size;               /* m, the body's longest side */
    double middle[3];          /* m */
    int axis;                  /* of the grain: along the longest side */
    bool flat;                 /* of a body in 2D */
    bool round;                /* painted like a ball */
    float shift;               /* so that no two bodies are alike */
} texture;

/* Of a body of the scene whose model this is; `number` is its place in the list. */
texture texture_of_body(const fr_body_def *def, const fr_model *model, int number);

/* A point of a surface. */
typedef struct texel {
    rgb colour;         /* of a metal: what it reflects */
    float shine, sharp; /* strength and exponent of the highlight */
    bool metal;
    int part;      /* of a pattern with edges: 0 or 1 */
    float bump[3]; /* added to the normal, in the body's coordinates */
} texel;

/* At a place (m, in the body's coordinates). Detail that is finer than `pixel` (m) fades. */
texel texture_at(const texture *t, const double place[3], double pixel);

#endif
