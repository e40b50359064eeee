/* The rigid bodies of a scene over one step: their poses at its begin and end, and their mean motion. Filled once per
   step; all stages read poses and surface velocities from here. The definition prescribes the motion as a function of
   time. */
#ifndef FR_METHOD_BODIES_H
#define FR_METHOD_BODIES_H

#include "method/motion.h"

typedef struct body {
    bool moves;              /* the definition prescribes a motion; else the velocity is 0 and the pose constant */
    motion motion;           /* over the step */
} body;

typedef struct bodies {
    int count;
    const fr_obstacle_def *def;   /* one per body */
    body *of;
} bodies;

/* The bodies at time 0. `def` must outlive them. */
fr_result bodies_create(const fr_obstacle_def *def, int count, bodies *out);
void bodies_destroy(bodies *b);

/* Moves all bodies over a step, see motion_over. If a callback of the scene fails, some bodies have moved already: the
   caller must move them back. */
fr_result bodies_move(bodies *b, double from, double to);

#endif
