/* The border cells of Barroso & Celes (4.6 and 5): the first layer of ghost cells around the block, and the outermost
   layer of solid blocks. Each takes its values from a fluid neighbour. Scalars are copied. Velocities are split in grid
   coordinates: the part along the border is scaled, the part across it is prescribed. Going to grid coordinates and
   back through the Jacobian is one matrix on world components:

     u_border = T u_inner + speed·p,     T = Jᵀ diag(f) J⁻ᵀ,   f = 0 across the border.

   A solid cell with several fluid neighbours (a corner, a wall one cell thick) takes the mean over them. */
#ifndef FR_GRID_BORDER_CELLS_H
#define FR_GRID_BORDER_CELLS_H

#include "grid/curve/classic_metric.h"

typedef enum border_kind {
    BORDER_BANK,             /* impermeable; `speed` is that of the bank along +s */
    BORDER_IN,               /* inflow of `speed` along the grid line across the side, m/s in world space */
    BORDER_OUT               /* the same, outflow */
} border_kind;

typedef struct border_def {
    const curve *c;
    const classic_metric *metric;
    const uint8_t *solid;            /* per cell, the first axis fastest; NULL: none */
    border_kind sides[6];            /* ignored on periodic axes */
    bool gated[6];                   /* banks through which water may enter: at edges they go before other banks */
    const double *roughness[6];      /* of banks, per cell of the side: 1 − this is left of the velocity along them */
    double solid_factor;             /* the same of solid blocks: what is left */
} border_def;

typedef struct border_link {
    int32_t at, inner;               /* offsets from the field's data */
    float share;                     /* weight of this neighbour; `turn` and `push` include it */
    float turn[3][3], push[3];       /* T and p of the equation above */
    int32_t side;                    /* the side whose speed multiplies `push`; −1: none */
    int32_t cell;                    /* the nearest cell of that side, the lower of its axes fastest */
    float mouth[3];                  /* banks: p, where water enters; T is 0 then */
} border_link;

/* Speeds of the sides, m/s. */
typedef struct border_speeds {
    double whole[6];
    const double *each[6];           /* per cell of the side, instead of `whole`; NULL: alike everywhere */
    const double *enters[6];         /* into the block through a bank, per cell, 0 where it is closed; NULL: nowhere */
} border_speeds;

typedef struct border_cells {
    int dims;
    int64_t count, solid_count;      /* links; those of solid cells come first, those of one cell are adjacent */
    border_link *links;
    int64_t *first;                  /* per slab (a row in 2D, a layer in 3D): its first ghost link; and the end */
    int64_t deep_count;
    int32_t *deep;                   /* solid cells without a fluid neighbour: they stay 0 */
    int64_t side_cells[6];
    double through[6], *passes[6];   /* m² (2D: m): volume flux per speed through a side, and each of its cells */
} border_cells;

fr_result border_cells_create(const border_def *def, border_cells *out);
void border_cells_destroy(border_cells *b);

/* Volume flux by these speeds through a side: of a bank what enters. */
double border_cells_discharge(const border_cells *b, const border_speeds *speeds, int side);

/* Sets all border cells of a velocity in world components. */
void border_cells_velocity(const border_cells *b, const border_speeds *speeds, field velocity[3]);

/* Sets only the ghosts whose inner cell is in the slab. */
void border_cells_follow(const border_cells *b, const border_speeds *speeds, int slab, field velocity[3]);

/* The same for a scalar. Ghosts beyond a `held` side, and where water enters through a bank, keep their value. */
void border_cells_follow_scalar(const border_cells *b, const bool held[6], const border_speeds *speeds, int slab,
                                field *f);

/* Sets a scalar's border cells in solid blocks only; the caller fills the ghosts. */
void border_cells_scalar(const border_cells *b, field *f);

#endif
