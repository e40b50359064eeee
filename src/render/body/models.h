/* The models of a scene's bodies: bodies of one shape share theirs. */
#ifndef FR_RENDER_BODY_MODELS_H
#define FR_RENDER_BODY_MODELS_H

#include "render/body/texture.h"
#include "render/space/tracer.h"

#include <freshet/render.h>

typedef struct models_one {
    const fr_shape_def *shape; /* while they are made */
    fr_model model;
    tracer *tracer;     /* NULL in 2D, and without Embree */
    bool convex, edged; /* edged: it has edges and corners */
} models_one;

struct fr_models {
    int dims;
    models_one *ones;
    int count;
    int *of;           /* per body: which of them */
    texture *textures; /* per body */
    int body_count;
};

#endif
