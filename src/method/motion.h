/* How obstacles move: a pure function of time. */
#ifndef FR_METHOD_MOTION_H
#define FR_METHOD_MOTION_H

#include <freshet/defs.h>

#include "geom/pose.h"

/* A rigid motion over a time: the point x moves with velocity + spin × (x − pose.at). */
typedef struct motion {
    pose begin, pose;    /* when the time begins, and when it ends */
    vec3 velocity;       /* m/s, of its origin */
    vec3 spin;           /* rad/s */
} motion;

/* Whether its definition can move it at all. */
bool motion_moves(const fr_obstacle_def *obstacle);

/* The mean motion from `from` to `to`: the displacement divided by the time. With from = to it is that of a short time
   to come. Fails only through the scene's function. */
fr_result motion_over(const fr_obstacle_def *obstacle, double from, double to, motion *out);

/* How far its points go between two times, at most: those within `radius` of its origin; m. */
fr_result motion_travel(const fr_obstacle_def *obstacle, double radius, double from, double to, double *metres);

static inline vec3 motion_velocity(const motion *m, vec3 x)
{
    return vec3_add(m->velocity, vec3_cross(m->spin, vec3_sub(x, vec3_of(m->pose.at))));
}

#endif
