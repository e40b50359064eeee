/* Solves for the velocities of bodies that touch, rub and are joined. Here is ODE, and nowhere else: its worlds hold no
   geometry and no time; they solve one linear complementarity problem at a time. */
#ifndef FR_RIGID_ENGINE_H
#define FR_RIGID_ENGINE_H

#include "rigid/parts.h"

typedef enum engine_joints {
    ENGINE_JOINTS_HOLD,      /* limits stop what would pass them; motors stand still */
    ENGINE_JOINTS_DRIVE,     /* the same, and motors drive */
    ENGINE_JOINTS_FREE,      /* no limits, no motors */
    ENGINE_JOINTS_CORRECT    /* pulls joints and limits back to where they belong, within `seconds` */
} engine_joints;

typedef struct engine_task {
    double t, seconds;
    uint8_t with, without;   /* marks of the islands that take part: all of these, none of those */
    engine_joints joints;
    bool contacts, friction;
    int attempt;             /* the random hair by which contacts are moved from their places */
    bool direct;             /* exactly, at the cube of an island's contacts; else by iteration */
} engine_task;

/* J, of motors and of obstacles that move. */
typedef struct engine_work {
    double motors, obstacles;
} engine_work;

/* Whether a body's island takes part. */
static inline bool engine_takes(const rigid *r, const engine_task *task, int body)
{
    const island *own = island_of(r, body);
    return own && (own->marks & task->with) == task->with && (own->marks & task->without) == 0;
}

/* For a world whose bodies and joints are made. */
fr_result engine_create(const rigid *r, engine **out);
void engine_destroy(engine *e);

/* The velocities in `states` become those after the time: each contact parts at its `speed` or faster. Poses are looked
   at, and stay. */
fr_result engine_solve(rigid *r, const engine_task *task, rigid_state *states, engine_work *work);

#endif
