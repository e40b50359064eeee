/* Where a rigid thing stands: turned, then moved. */
#ifndef FR_GEOM_POSE_H
#define FR_GEOM_POSE_H

#include "base/vec.h"

/* Takes the point p of the thing to turn·p + at. */
typedef struct pose {
    double turn[3][3];   /* a rotation, by rows */
    double at[3];        /* m */
} pose;

/* Turned by `degrees` about `axis`, which may have any length but zero where there is something to turn, then moved to
   `at`. Quarter turns are exact, so that a turned shape stays symmetric. */
pose pose_of(const double axis[3], double degrees, const double at[3]);

/* First `inner`, then `outer`. */
pose pose_join(const pose *outer, const pose *inner);

/* The rotation vector (axis times radians, at most half a turn) that leads from one attitude to another. */
vec3 pose_turn_between(const pose *from, const pose *to);

#endif
