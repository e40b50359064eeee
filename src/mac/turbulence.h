/* Synthetic eddies: a sum of random waves. */
#ifndef FR_MAC_TURBULENCE_H
#define FR_MAC_TURBULENCE_H

#include <freshet/defs.h>

#include "grid/domain.h"

typedef struct turbulence turbulence;

/* Waves for that grid, carried along by the flow `mean` (m/s). Along periodic axes they fit into the domain. */
fr_result turbulence_create(const fr_turbulence_def *def, const domain *d, const double mean[3], turbulence **out);
void turbulence_destroy(turbulence *t);

/* The velocity at one place and time, m/s. */
void turbulence_at(const turbulence *t, const double at[3], double time, double velocity[3]);

/* One component at n places in a row along an axis, `spacing` metres apart. */
typedef struct turbulence_line {
    double start[3], spacing;
    int axis, n, component;
} turbulence_line;
/* Adds it to `values`. */
void turbulence_add_line(const turbulence *t, const turbulence_line *line, double time, float *values);

#endif
