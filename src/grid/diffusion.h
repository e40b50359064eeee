/* Implicit diffusion of any field of a block, backward Euler:

     V x − κ Δt ∇·(w ∇x) = V x₀,

   on cells or on the faces across an axis; stable for any Δt (Macêdo 4.1.6). Solved by multigrid-preconditioned CG. */
#ifndef FR_GRID_DIFFUSION_H
#define FR_GRID_DIFFUSION_H

#include "grid/halo.h"
#include "linalg/solve.h"

typedef enum diffusion_mark {
    DIFFUSION_FREE,      /* unknown */
    DIFFUSION_OUTSIDE,   /* takes no part, nothing crosses to it */
    DIFFUSION_FIXED      /* keeps its value, and its neighbours feel it */
} diffusion_mark;

typedef struct diffusion_problem {
    double number;               /* κ Δt, m² */
    const halo_side *sides;      /* six: even (nothing crosses), a value on the side, periodic */
    bool fixed_sides[6];         /* samples that lie on this side keep their value (faces across its axis) */
    const field *const *weights; /* three fields: open share between cells; NULL: 1. For cells only */
    const field *volume;         /* share of each cell that takes part, 0 … 1; NULL: 1. For cells only */
    const uint8_t *marks;        /* diffusion_mark by block offset of the field; NULL: all free */
} diffusion_problem;

typedef struct diffusion diffusion;

fr_result diffusion_create(const domain *d, diffusion **out);
void diffusion_destroy(diffusion *solver);
size_t diffusion_bytes(const domain *d);

/* Ghosts need not be filled. Allocates nothing. */
solve_stats diffusion_solve(diffusion *solver, field *f, const diffusion_problem *problem, const solve_limits *limits);

#endif
