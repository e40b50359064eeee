/* Transport along the flow: Dq/Dt = 0. */
#ifndef FR_MAC_STAGE_ADVECT_H
#define FR_MAC_STAGE_ADVECT_H

#include "mac/state.h"

/* next_scalars from the present ones, carried by `flow`; the ghosts of both must be filled. Spoils
   scratch_velocity. */
void stage_advect_scalars(const model *m, state *s, const field flow[3], double dt);

/* `to` from `from`, carried by `flow`, three fields each; the ghosts of `from` and `flow` must be filled. */
void stage_advect_velocity(const model *m, state *s, const field from[3], const field flow[3], field to[3], double dt);

/* One component of the velocity. */
typedef struct advect_component {
    int axis;
    const field *from, *flow; /* as above; `flow` has all components */
    field *to;
    double dt;
    float *work[2];           /* each as large as a component: it is carried without a gain of energy
                                 (grid/carry_balanced.c). NULL: as the scheme has it */
} advect_component;

void stage_advect_component(const model *m, state *s, const advect_component *job);

#endif
