/* Between a grid and one that is `refine` times as fine along every axis over the same block. */
#ifndef FR_GRID_REFINE_H
#define FR_GRID_REFINE_H

#include "grid/sample.h"

/* The flow of the coarse grid (faces; one field per axis of the scene) at points of the fine one: trilinear in each
   component. The points start at centres of fine cells, their moves are in fine cells, and they are confined to the
   fine grid. Each row of `flow` needs room for n rounded up to a multiple of WIDE. */
void refine_flow(const field *velocity, int dims, int refine, const sample_points *points, float flow[3][SAMPLE_ROW]);

/* The mean of the fine cells in each coarse one. Ghosts are left alone. */
void refine_mean(const field *fine, int refine, field *mean);

#endif
