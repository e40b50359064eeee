/* A cell list to find neighbours. Cell edges are at least as long as the kernel's support, so the neighbours of a
   particle lie in the 3 × 3 × 3 cells around its own. */
#ifndef FR_PARTICLES_CELLS_H
#define FR_PARTICLES_CELLS_H

#include "particles/store.h"

/* A box divided into cells, with one more layer around it for the boundary particles of walls. Cells are numbered with
   axis[0] fastest and axis[2], the longest axis, slowest: so close particles are close in memory. */
typedef struct cells_layout {
    int dims;
    double low[3], high[3];      /* m, of the box */
    bool periodic[3];
    float per_edge[3], from[3];  /* cells per m; m, where cell 0 begins */
    float length[3];             /* m, of the box: the shift of a periodic image */
    int n[3];                    /* cells along x, y, z, with the outer layer on axes that are not periodic */
    int axis[3];
    int64_t count;
} cells_layout;

cells_layout cells_layout_of(int dims, const double low[3], const double high[3], const bool periodic[3],
                             double support);

/* Cell coordinate along an axis; points outside are clamped to the outermost cells. */
static inline int cells_along(const cells_layout *c, int axis, float x)
{
    int i = (int)((x - c->from[axis]) * c->per_edge[axis]);
    return i < 0 ? 0 : i >= c->n[axis] ? c->n[axis] - 1 : i;
}

static inline int64_t cells_number(const cells_layout *c, const int at[3])
{
    return at[c->axis[0]] + (int64_t)c->n[c->axis[0]] * (at[c->axis[1]] + (int64_t)c->n[c->axis[1]] * at[c->axis[2]]);
}

/* The particles of cell k are start[k] … start[k + 1] − 1 in sorted order. */
typedef struct cells {
    const cells_layout *layout;
    int32_t *start;              /* count + 1 */
    int32_t *of;                 /* the cell of each particle, in sorted order */
    int32_t *order;              /* the index before sorting of each particle, in sorted order */
    int64_t room;                /* particles */
} cells;

fr_result cells_reserve(cells *c, const cells_layout *layout, int64_t particles);
void cells_destroy(cells *c);

/* A stable sort by cell. Fills start, order and `of`. */
void cells_sort(cells *c, const particle_vector *position, int64_t count);

typedef struct cells_column {
    size_t size;                 /* of an element: 4, 8 or 16 bytes */
    const void *from;
    void *to;
} cells_column;

/* to[n] = from[order[n]], of one column and of several. */
void cells_reorder_columns(const cells *c, int64_t count, const cells_column *columns, int column_count);
void cells_reorder(const cells *c, int64_t count, size_t size, const void *from, void *to);

/* Memory per particle and per cell, bytes. */
enum { CELLS_BYTES = 2 * sizeof(int32_t), CELLS_CELL_BYTES = sizeof(int32_t) };

#endif
