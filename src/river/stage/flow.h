/* The present flow of a river at any place of its grid, for points that move with it. */
#ifndef FR_RIVER_STAGE_FLOW_H
#define FR_RIVER_STAGE_FLOW_H

#include "grid/curve/walk.h"
#include "river/state.h"

typedef struct river_flow {
    const river_model *m;
    const river_state *s;
    const field *flux;         /* flux scheme */
    const field *velocity;     /* classic scheme */
} river_flow;

river_flow stage_river_flow(const river_model *m, const river_state *s);

/* A walk with the flow. `flow` must outlive it. */
curve_walk stage_river_walk(const river_flow *flow);

#endif
