/* The in-plane velocity of a flat view, in pixels per second. */
#ifndef FR_RENDER_FLAT_FLOW_H
#define FR_RENDER_FLAT_FLOW_H

#include "render/flat/flat.h"

typedef struct flow {
    const flat *flat;
    plane parts[2];        /* face velocities along the cut's axes */
    double scale[2];       /* pixels per metre; negative for y */
    double fastest;        /* pixels per second: a high percentile over the picture */
} flow;

fr_result flow_create(flow *flow, const flat *flat);
void flow_destroy(flow *flow);

/* False outside the plot, in obstacles and where the velocity is NaN. */
bool flow_at(const flow *flow, const double at[2], double velocity[2]);

#endif
