/* The prescribed motion of obstacles, a pure function of time. */
#ifndef FR_METHOD_MOTION_H
#define FR_METHOD_MOTION_H

#include <freshet/defs.h>

#include "geom/pose.h"

/* A rigid motion over a time interval: the velocity at x is velocity + spin × (x − pose.at). */
typedef struct motion {
    pose begin, pose;    /* at the begin and the end of the interval */
    vec3 velocity;       /* m/s, of the body's origin */
    vec3 spin;           /* rad/s */
} motion;

/* Whether the definition prescribes a motion. */
bool motion_moves(const fr_obstacle_def *obstacle);

/* The mean motion from `from` to `to`: displacement over time. With from = to it is taken over a short time after.
   Fails only if the scene's callback fails. */
fr_result motion_over(const fr_obstacle_def *obstacle, double from, double to, motion *out);

/* An upper bound on the path length (m) of points within `radius` of its origin between two times. */
fr_result motion_travel(const fr_obstacle_def *obstacle, double radius, double from, double to, double *metres);

static inline vec3 motion_velocity(const motion *m, vec3 x)
{
    return vec3_add(m->velocity, vec3_cross(m->spin, vec3_sub(x, vec3_of(m->pose.at))));
}

#endif
