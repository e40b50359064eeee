/* Ray tracing of triangles or balls, or of many such things in their places, by Embree 3. */
#ifndef FR_RENDER_SPACE_TRACER_H
#define FR_RENDER_SPACE_TRACER_H

#include "base/vec.h"

#include <freshet/surface.h>

typedef struct tracer tracer;

/* For a surface, which must outlive the tracer. FR_ERROR_UNSUPPORTED without Embree. */
fr_result tracer_of_mesh(const fr_mesh *mesh, tracer **out);

/* For the frame's particles as balls of that radius. */
fr_result tracer_of_balls(const fr_frame *frame, double radius, tracer **out);

/* For a mesh that is to be a part of other tracers. `first`: any tracer that goes into the same ones, or NULL. */
fr_result tracer_of_part(const tracer *first, const fr_mesh *mesh, tracer **out);

/* Where a part stands: its points go to turn·p + at. */
typedef struct tracer_place {
    const tracer *part;
    double turn[3][3], at[3];    /* a rotation by rows; m */
} tracer_place;

/* For at least one part in its place; parts and places must outlive the tracer. */
fr_result tracer_of_places(const tracer_place *places, int count, tracer **out);

void tracer_destroy(tracer *t);

typedef struct tracer_line {
    vec3 from, along;        /* along: unit */
    double least, most;      /* m: only hits between these distances count */
} tracer_line;

typedef struct tracer_hit {
    double distance;         /* m */
    vec3 normal;             /* unit, outwards; of a mesh interpolated between its vertices */
    bool leaving;            /* the ray comes from inside */
    uint32_t number;         /* of the triangle or particle */
    int place;               /* of parts: which of them */
    float weights[3];        /* of the triangle's corners there; of a mesh */
} tracer_hit;

/* The nearest hit; false when there is none. */
bool tracer_find(const tracer *t, const tracer_line *line, tracer_hit *hit);

/* Whether there is any hit. */
bool tracer_is_blocked(const tracer *t, const tracer_line *line);

#endif
