/* φ where the cells of a row come from, for whole groups of eight. */
#ifndef FR_SURFACE_LEVELSET_TRACE_H
#define FR_SURFACE_LEVELSET_TRACE_H

#include "surface/levelset/flow.h"

typedef struct trace_job {
    const domain *d;
    const field *velocity; /* one field of faces per axis; ghosts filled */
    const field *phi;      /* ghosts filled */
    const flow_rule *rule;
    double dt; /* s, negative: back in time */
    float far;      /* m: where φ is farther from 0 than this by linear interpolation, that is enough; */
    float straight; /* and where it is farther than this along the way as it begins, that is too */
} trace_job;

/* Cubic without bounds near 0, as by flow_trace and sample_values_cubic_free but for the last digit. Returns false
   where the cells are not whole groups of eight, or where they come from lies too far apart: `values` are then
   undefined. */
bool trace_cells(const trace_job *job, const sample_points *p, float *values);

#endif
