/* The flow at a row of cells of φ. */
#ifndef FR_SURFACE_LEVELSET_FLOW_H
#define FR_SURFACE_LEVELSET_FLOW_H

#include "grid/sample.h"
#include "surface/levelset/levelset.h"

typedef float flow_rows[3][SAMPLE_ROW];

/* At the centres of the points' cells, m/s. Spoils the displacements. */
void flow_at_centres(const levelset_flow *flow, const domain *d, sample_points *p, flow_rows out);

/* Traces the points from their cells' centres through the flow for dt seconds, back in time where dt < 0, by the rule
   of Euler, the midpoint, or Ralston (third order). */
void flow_trace(const levelset_flow *flow, const domain *d, double dt, int order, sample_points *p);

#endif
