/* What the schemes of flows on the staggered grid share: the step under way, and the stages that several of them have.
 */
#ifndef FR_MAC_STEP_H
#define FR_MAC_STEP_H

#include "mac/stage/pressure.h"
#include "method/stages.h"

/* A part of the step over which forces act. */
typedef struct mac_span {
    double dt;     /* s, how long it is */
    double middle; /* s, when forces and fans are evaluated */
    double end;    /* s, when the values on the sides are evaluated */
} mac_span;

/* A step from now.time to now.end: it reads the present fields and leaves those at the step's end in the next ones. A
   method's own step may begin with this struct. */
typedef struct mac_step {
    const model *m;
    state *s;
    double dt;            /* s */
    mac_span span;        /* at first the whole step */
    const field *carrier; /* the flow that carries, three fields; at first the present one */
    const field *scalars; /* the latest: the present ones, then by mac_scalars those at the step's end */
} mac_step;

mac_step mac_begin(const model *m, state *s, double dt);

/* All scalars from the present to the end of the step, along step->carrier. Once they have been carried the obstacles
   go to where they stand at the end: whatever is extended or projected after this sees them there. */
extern const stage mac_scalars[];

/* The scene's forces on next_velocity over step->span; then the flow held by sources and sides. */
extern const stage mac_forces[];

/* Stages of a mac_step: the fans over step->span; the check that ends every scheme which solves for the flow. */
fr_result mac_fans(void *step);
fr_result mac_check_flow(void *step);

/* Stages for bodies that are fluid made rigid: with the forces; after the last pressure. */
fr_result mac_weigh_bodies(void *step);
fr_result mac_make_rigid(void *step);

/* A stage that ends what acts on the flow: rigid bodies go on to the step's end. */
fr_result mac_advance_bodies(void *step);

/* The step's first and second half. */
mac_span mac_first_half(const mac_step *step);
mac_span mac_second_half(const mac_step *step);

/* Sides, obstacles and ghosts of a flow. */
void mac_finish_velocity(const model *m, const state *s, field velocity[3]);

/* Obstacles and ghosts of the scalars, for the flow that will carry them. */
void mac_finish_scalars(const model *m, state *s, field *scalars, const field velocity[3]);

#endif
