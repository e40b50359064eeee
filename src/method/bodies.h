/* The solid things of a scene over one step: their poses at its begin and end, and their mean motion. Filled once per
   step; all stages read poses and surface velocities from here. The definition of an obstacle prescribes its motion as
   a function of time; that of a rigid body comes from the method. */
#ifndef FR_METHOD_BODIES_H
#define FR_METHOD_BODIES_H

#include "method/motion.h"
#include "rigid/fleet.h"

typedef struct body {
    bool moves;              /* it can; else the velocity is 0 and the pose constant */
    bool free;               /* its motion is not prescribed, */
    bool rigid;              /* and hangs on the pressure: what it covers and pushes is found by volume */
    bool present;            /* false: its time has not come, and it stands nowhere; obstacles always are */
    double centre[3];        /* m: of its mass, where it is laid; of rigid ones */
    double filled;           /* m³ (in 2D m²): its volume; of rigid ones */
    double temperature;      /* K, of its surface; where it has one */
    motion motion;           /* over the step */
} body;

typedef struct bodies {
    int count;
    const fr_obstacle_def *def;   /* one per body */
    body *of;
} bodies;

/* The bodies at time 0. `def` must outlive them. */
fr_result bodies_create(const fr_obstacle_def *def, int count, bodies *out);

/* Body number `index` does not move by its definition. `pushed`: it moves with the pressure. */
void bodies_release(bodies *b, int index, bool pushed);
void bodies_destroy(bodies *b);

/* Puts it where body `rigid` of a fleet is laid, with its motion then. */
void bodies_lay(bodies *b, int index, const fleet *f, int rigid);

/* Of rigid_setup: `obstacles` are the definitions. */
fr_result bodies_obstacle_motion(void *obstacles, int obstacle, double from, double to, rigid_motion *out);

/* Moves all bodies that are not free over a step, see motion_over. If a callback of the scene fails, some bodies have
   moved already: the caller must move them back. */
fr_result bodies_move(bodies *b, double from, double to);

#endif
