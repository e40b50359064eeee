/* The flow at a row of cells of φ. */
#ifndef FR_SURFACE_LEVELSET_FLOW_H
#define FR_SURFACE_LEVELSET_FLOW_H

#include "grid/sample.h"
#include "surface/levelset/levelset.h"

typedef float flow_rows[3][SAMPLE_ROW];

/* At the centres of the points' cells, m/s. Spoils the displacements. */
void flow_at_centres(const levelset_flow *flow, const domain *d, sample_points *p, flow_rows out);

/* A Runge–Kutta rule: where each stage stands, from the one before, and its weight, in shares of the step. */
typedef struct flow_rule {
    int stages;
    double reach[3];
    float share[3];
} flow_rule;

/* Euler's, the midpoint, or Ralston's of third order. */
const flow_rule *flow_rule_of(int order);

/* Traces the points from their cells' centres through the flow for dt seconds, back in time where dt < 0. */
void flow_trace(const levelset_flow *flow, const domain *d, double dt, const flow_rule *rule, sample_points *p);

#endif
