/* The rotation of a body on which no torque acts: its angular momentum is kept, and its energy all but so. */
#ifndef FR_RIGID_TURN_H
#define FR_RIGID_TURN_H

#include <stdbool.h>

#include "base/vec.h"

/* The principal axes of a body's inertia. */
typedef struct principal {
    double moment[3];      /* kg m² */
    double axes[3][3];     /* column k: axis k along the axes of the body's shape; a rotation */
    double rotation[4];    /* the same as a quaternion */
    int first, second;     /* the two axes whose turns are split off, see turn.c */
    int third;             /* the one left */
    double excess[2];      /* 1/(kg m²), of the first two: inverse moment less that of the third */
} principal;

principal principal_of(const double inertia[3][3]);

/* Along the world's axes, in a rotation: angular momentum from spin and back. */
vec3 principal_momentum(const principal *p, const double rotation[4], vec3 spin);
vec3 principal_spin(const principal *p, const double rotation[4], vec3 momentum);

/* The rotation after a time of free motion with that angular momentum. */
void principal_turn(const principal *p, vec3 momentum, double seconds, const double rotation[4], double out[4]);

#endif
