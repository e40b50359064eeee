/* The block of cells that this process works on. */
#ifndef FR_GRID_DOMAIN_H
#define FR_GRID_DOMAIN_H

#include <freshet/base.h>

typedef struct domain {
    int dims;            /* 2 or 3 */
    int n[3];            /* cells; n[2] = 1 in 2D */
    double h[3];         /* m, edges of a cell; h[2] = 1 in 2D: a sheet one metre deep */
    double origin[3];    /* m, low corner */
    bool periodic[3];
} domain;

static inline double domain_cell_volume(const domain *d) { return d->h[0] * d->h[1] * d->h[2]; }
static inline int64_t domain_cells(const domain *d) { return (int64_t)d->n[0] * d->n[1] * d->n[2]; }
static inline double domain_min_h(const domain *d)
{
    double h = d->h[0] < d->h[1] ? d->h[0] : d->h[1];
    return d->dims == 3 && d->h[2] < h ? d->h[2] : h;
}

#endif
