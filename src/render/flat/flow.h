/* The velocity in the plane of a flat view, as pixels per second of the picture. */
#ifndef FR_RENDER_FLAT_FLOW_H
#define FR_RENDER_FLAT_FLOW_H

#include "render/flat/flat.h"

typedef struct flow {
    const flat *flat;
    plane parts[2];        /* face velocities along the cut's axes */
    double scale[2];       /* pixels per metre; y turns over */
    double fastest;        /* pixels per second: high percentile over the picture */
} flow;

fr_result flow_create(flow *flow, const flat *flat);
void flow_destroy(flow *flow);

/* False outside the plot, in obstacles and where the velocity is not a number. */
bool flow_at(const flow *flow, const double at[2], double velocity[2]);

#endif
