/* Particles sorted into cells, to find neighbours. A cell's edges are no shorter than the support of the kernel, so the
   neighbours of a particle lie in the 3 × 3 × 3 cells around its own. */
#ifndef FR_PARTICLES_CELLS_H
#define FR_PARTICLES_CELLS_H

#include "particles/store.h"

/* A box cut into cells, with one layer more around it, where walls stand. Cells are numbered along axis[0] first and
   axis[2] last: the longest axis, so that particles near each other are near in memory. */
typedef struct cells_layout {
    int dims;
    double low[3], high[3];      /* m, of the box */
    bool periodic[3];
    float per_edge[3], from[3];  /* cells per m, and where cell 0 begins, m */
    float length[3];             /* m, of the box; what a periodic neighbour is moved by */
    int n[3];                    /* cells along x, y, z, the layer around included where an axis is not periodic */
    int axis[3];
    int64_t count;
} cells_layout;

cells_layout cells_layout_of(int dims, const double low[3], const double high[3], const bool periodic[3],
                             double support);

/* Cell coordinate along an axis; places outside belong to the cells at the rim. */
static inline int cells_along(const cells_layout *c, int axis, float x)
{
    int i = (int)((x - c->from[axis]) * c->per_edge[axis]);
    return i < 0 ? 0 : i >= c->n[axis] ? c->n[axis] - 1 : i;
}

static inline int64_t cells_number(const cells_layout *c, const int at[3])
{
    return at[c->axis[0]] + (int64_t)c->n[c->axis[0]] * (at[c->axis[1]] + (int64_t)c->n[c->axis[1]] * at[c->axis[2]]);
}

/* Particles in cells: those of cell k are start[k] … start[k + 1] of the sorted order. */
typedef struct cells {
    const cells_layout *layout;
    int32_t *start;              /* count + 1 */
    int32_t *of;                 /* per place in the sorted order: the cell of its particle */
    int32_t *order;              /* per place in the sorted order: the particle's index before sorting */
    int64_t room;                /* particles */
} cells;

fr_result cells_reserve(cells *c, const cells_layout *layout, int64_t particles);
void cells_destroy(cells *c);

/* Sorts by cell; those of one cell keep their order. Fills start, order and `of` (in sorted order). */
void cells_sort(cells *c, const particle_vector *position, int64_t count);

/* to[n] = from[order[n]] for elements of 4, 8 or 16 bytes. */
void cells_reorder(const cells *c, int64_t count, size_t size, const void *from, void *to);

/* Bytes for each particle, and for each cell. */
enum { CELLS_BYTES = 2 * sizeof(int32_t), CELLS_CELL_BYTES = sizeof(int32_t) };

#endif
