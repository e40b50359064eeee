/* What the files that take parcels to the grid share: how their sums lie in memory (to_grid.c). */
#ifndef FR_HYBRID_TO_GRID_PARTS_H
#define FR_HYBRID_TO_GRID_PARTS_H

#include "hybrid/transfer.h"

/* Floats of a sample: weight and momentum of a face, and for those across x the weight of the centre behind it. */
enum { EACH = 2, EACH_X = 3 };

/* Faces along an axis with ghosts, of any component. */
static inline int transfer_faces_along(const domain *d, int axis)
{
    return axis < d->dims ? d->n[axis] + 1 + 2 * GHOST : 1;
}

/* Floats of the rows with the same (j, k). */
static inline size_t transfer_row(const domain *d)
{
    return (size_t)(EACH * d->dims + EACH_X - EACH) * (size_t)transfer_faces_along(d, 0);
}

/* The rows along x of faces of any axis with the first ghosts, at the most. */
static inline size_t transfer_ready(const domain *d)
{
    return (size_t)(d->n[1] + 2) * (size_t)(d->n[2] + 2);
}

typedef struct to_grid {
    const parcels *p;
    const transfer_faces *to;
    float *block;
    uint32_t first[3];    /* where face (0, 0, 0) across each axis lies, in floats, */
    ptrdiff_t row, plane; /* and the way to the next */
    uint8_t *ready;       /* per row of samples along x */
} to_grid;

static inline int to_grid_each(int axis)
{
    return axis ? EACH : EACH_X;
}

static inline float *to_grid_row(const to_grid *g, int axis, int j, int k)
{
    return g->block + g->first[axis] + j * g->row + k * g->plane;
}

/* Whether a row of samples has been set to zero; rows of the first ghosts are counted too. */
static inline uint8_t *to_grid_ready(const to_grid *g, int j, int k)
{
    return g->ready + (j + 1) + (size_t)(g->p->d.n[1] + 2) * (size_t)(k + 1);
}

/* The means of the velocities, and the density, from the sums of all parcels. `periodic`: along some axis. */
void to_grid_finish(const to_grid *g, bool periodic);

#endif
