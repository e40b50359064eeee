/* Unit quaternions w, x, y, z as rotations of bodies. */
#ifndef FR_RIGID_QUATERNION_H
#define FR_RIGID_QUATERNION_H

#include "base/vec.h"

/* The rotation's matrix, by rows. */
void quaternion_matrix(const double q[4], double turn[3][3]);

/* The quaternion of a rotation matrix, with w ≥ 0. */
void quaternion_of(const double turn[3][3], double q[4]);

/* First q, then p; of length 1 again. */
void quaternion_product(const double p[4], const double q[4], double out[4]);

/* q after a rotation by the vector `turn` (axis times radians) along the world's axes; of length 1 again. */
void quaternion_turn(const double q[4], vec3 turn, double out[4]);

#endif
