/* The bodies of a scene over one step: where each stood at its begin, where it stands at its end, and how it moves in
   between. Filled once a step; whoever asks where a body is or how fast its surface moves reads it here. Today the
   definition moves them, as a function of time. */
#ifndef FR_METHOD_BODIES_H
#define FR_METHOD_BODIES_H

#include "method/motion.h"

typedef struct body {
    bool moves;              /* its definition can move it; else its motion is 0 and its pose stays */
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

/* Moves all over a step, see motion_over. When a function of the scene fails, some may have moved: move them back. */
fr_result bodies_move(bodies *b, double from, double to);

#endif
