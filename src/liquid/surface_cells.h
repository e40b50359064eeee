/* How the cells at the surface are treated (liquid.surface_cells), and the order of a step (liquid.loop). */
#ifndef FR_LIQUID_SURFACE_CELLS_H
#define FR_LIQUID_SURFACE_CELLS_H

#include "liquid/liquid.h"

fr_result surface_cells_create(liquid_run *run);
void surface_cells_destroy(liquid_run *run);

/* Where p = 0, for the surface that the pressure is found with: the state's. */
void surface_cells_place_pressure(liquid_run *run);

/* Projects next_velocity (stage_pressure), with continuity in the cells at the surface. */
fr_result surface_cells_project(liquid_run *run, double dt, pressure_kind kind);

/* The flow beyond the surface, inside obstacles and in the ghosts, from the wet faces. Spoils scratch memory 0. */
void surface_cells_finish_velocity(liquid_run *run, field velocity[3]);

/* The second half of a step of two projections: the flow, made free of divergence once, is carried along itself and
   projected again (twice.c). Nothing when the loop is "once". */
extern const stage liquid_again[];

#endif
