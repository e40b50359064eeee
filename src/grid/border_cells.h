/* The border cells of Barroso & Celes (4.6 and 5): the first ghosts around the block, and the outermost layer of solid
   blocks. Each follows a neighbour inside the flow. Scalars are copied; of the velocity, in grid coordinates, the part
   along the border is scaled and the part across it is given. Both ways through the Jacobian are one matrix in world
   components:

     u_border = T u_inner + speed·p,     T = Jᵀ diag(f) J⁻ᵀ,   f = 0 across the border.

   A solid cell with several neighbours in the flow (a corner, a wall of one cell) takes the mean of what each asks for.
 */
#ifndef FR_GRID_BORDER_CELLS_H
#define FR_GRID_BORDER_CELLS_H

#include "grid/curve/classic_metric.h"

typedef enum border_kind {
    BORDER_BANK,             /* nothing crosses; `speed` is that of the bank along +s */
    BORDER_IN,               /* `speed` comes in along the grid line across the side, m/s in the world */
    BORDER_OUT               /* the same, out */
} border_kind;

typedef struct border_def {
    const curve *c;
    const classic_metric *metric;
    const uint8_t *solid;            /* per cell, the first axis fastest; NULL: none */
    border_kind sides[6];            /* of periodic axes not read */
    double factor[6], solid_factor;  /* of the velocity along banks, along solid blocks */
} border_def;

typedef struct border_link {
    int32_t at, inner;               /* offsets from the field's data */
    float share; /* of the border cell's value that comes from this neighbour; in `turn` and `push` too */
    float turn[3][3], push[3];
    int32_t side;                    /* whose speed `push` is for; −1: none */
} border_link;

typedef struct border_cells {
    int dims;
    int64_t count, solid_count;      /* links; those of solid cells come first, links of one cell side by side */
    border_link *links;
    int64_t *first; /* ghosts' links in the order of the slabs (rows in 2D, layers in 3D) that they follow: the first of
                       each, and the end */
    int64_t deep_count;
    int32_t *deep;                   /* solid cells that nothing reads: they stay 0 */
    double through[6];               /* m² (2D: m): speed times this is what passes a side */
} border_cells;

fr_result border_cells_create(const border_def *def, border_cells *out);
void border_cells_destroy(border_cells *b);

/* Border cells of a velocity in world components; speeds of the sides, m/s. */
void border_cells_velocity(const border_cells *b, const double speed[6], field velocity[3]);

/* Of the ghosts that follow one slab alone. */
void border_cells_follow(const border_cells *b, const double speed[6], int slab, field velocity[3]);

/* The same of a scalar; those beyond a side that is `held` keep their value. */
void border_cells_follow_scalar(const border_cells *b, const bool held[6], int slab, field *f);

/* Of a scalar, in solid blocks alone: ghosts are the caller's. */
void border_cells_scalar(const border_cells *b, field *f);

#endif
