/* Transfer between a coarse grid and a grid over the same block that is `refine` times finer along every axis. */
#ifndef FR_GRID_REFINE_H
#define FR_GRID_REFINE_H

#include "grid/sample.h"

/* Interpolates the coarse velocity (faces; one field per axis of the scene) at points of the fine grid, trilinearly in
   each component. The points start at centres of fine cells, their displacements are in fine cells, and they are
   confined to the fine grid. Each row of `flow` needs room for n rounded up to a multiple of WIDE. */
void refine_flow(const field *velocity, int dims, int refine, const sample_points *points, float flow[3][SAMPLE_ROW]);

/* The mean of the fine cells in each coarse cell. Ghosts are not written. */
void refine_mean(const field *fine, int refine, field *mean);

#endif
