/* The pose of a rigid body: rotated, then translated. */
#ifndef FR_GEOM_POSE_H
#define FR_GEOM_POSE_H

#include "base/vec.h"

/* Maps the body's point p to turn·p + at. */
typedef struct pose {
    double turn[3][3];   /* a rotation, by rows */
    double at[3];        /* m */
} pose;

/* Rotated by `degrees` about `axis`, then translated to `at`. The axis may have any length; zero only when `degrees` is
   0. Quarter turns are exact, so that a rotated shape stays symmetric. */
pose pose_of(const double axis[3], double degrees, const double at[3]);

/* First `inner`, then `outer`. */
pose pose_join(const pose *outer, const pose *inner);

/* The rotation vector (axis times radians, at most π) from one orientation to another. */
vec3 pose_turn_between(const pose *from, const pose *to);

#endif
