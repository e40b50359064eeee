/* Lines of sight against many triangles or balls, by Embree 3. */
#ifndef FR_RENDER_SPACE_TRACER_H
#define FR_RENDER_SPACE_TRACER_H

#include "base/vec.h"

#include <freshet/surface.h>

typedef struct tracer tracer;

/* Of a surface, which must outlive the tracer. Without Embree FR_ERROR_UNSUPPORTED. */
fr_result tracer_of_mesh(const fr_mesh *mesh, tracer **out);

/* Of the frame's particles as balls of that radius. */
fr_result tracer_of_balls(const fr_frame *frame, double radius, tracer **out);

void tracer_destroy(tracer *t);

typedef struct tracer_line {
    vec3 from, along;        /* along: unit */
    double least, most;      /* m: what is nearer or farther is not met */
} tracer_line;

typedef struct tracer_hit {
    double distance;         /* m */
    vec3 normal;             /* unit, out of the surface; of a mesh between those of its vertices */
    bool leaving;            /* the line comes from inside */
    uint32_t number;         /* of the triangle or particle */
} tracer_hit;

/* The nearest surface; false when there is none. */
bool tracer_find(const tracer *t, const tracer_line *line, tracer_hit *hit);

/* Whether there is any. */
bool tracer_is_blocked(const tracer *t, const tracer_line *line);

#endif
