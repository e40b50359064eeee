/* Implicit diffusion of any field of a block, backward Euler:

     V x − κ Δt ∇·(w ∇x) = V x₀     (or C V in the place of V),

   on cells or on the faces across an axis; stable for any Δt (Macêdo 4.1.6). Solved by multigrid-preconditioned CG.

   Dirichlet values on an immersed surface: where it cuts the link from a free sample to a fixed one at the fraction θ,
   the difference is taken over θh. Only the coefficient of that link changes, by 1/θ; the matrix stays symmetric, and
   the solution is second-order accurate although the stencil at the surface is not centred (Gibou, Fedkiw, Cheng &
   Kang 2002). */
#ifndef FR_GRID_DIFFUSION_H
#define FR_GRID_DIFFUSION_H

#include "grid/halo.h"
#include "linalg/solve.h"

typedef enum diffusion_mark {
    DIFFUSION_FREE,      /* unknown */
    DIFFUSION_WHOLE,     /* unknown, next to a surface with a Dirichlet value: counts as a whole cell with open faces */
    DIFFUSION_OUTSIDE,   /* not part of the problem; no flux to it */
    DIFFUSION_FIXED      /* Dirichlet: keeps its value, which acts at the surface towards it, or at the sample itself */
} diffusion_mark;

/* Signed distance to the nearest surface, at a sample of the faces across `axis` or of the cells (−1). `distance` is
   given at cells, ghosts filled. On faces the mean of two cells is taken; its error is below h²/8 times the surface's
   curvature. */
static inline float diffusion_distance(const field *distance, int axis, const int at[3])
{
    const float *d = field_row(distance, at[1], at[2]) + at[0];
    return axis < 0 ? d[0] : 0.5f * (d[0] + d[-distance->stride[axis]]);
}

/* The fraction θ of the link from a free sample to a fixed neighbour at which the surface lies. 1 where no surface lies
   between them: the neighbour is fixed for another reason. */
static inline float diffusion_reach(const field *distance, int axis, const int free[3], const int fixed[3])
{
    /* A smaller θ would give a coefficient so large that the other neighbours are lost in rounding. This bound moves
       the surface by at most this fraction of a cell. */
    const float least = 0.01f;
    float outside = diffusion_distance(distance, axis, free), inside = diffusion_distance(distance, axis, fixed);
    if (outside <= 0 || inside >= 0)
        return 1;
    float reach = outside / (outside - inside);
    return reach < least ? least : reach;
}

typedef struct diffusion_problem {
    double number;               /* κ Δt, m² */
    const halo_side *sides;      /* six: HALO_EVEN (no flux), HALO_VALUE or HALO_PERIODIC */
    bool fixed_sides[6];         /* samples that lie on this side (faces across its axis) keep their value */
    const field *const *weights; /* three fields: open fraction of each face; NULL: 1. For cells only */
    /* three fields: κ on each face over that of `number`, sides included; NULL: 1. For cells only */
    const field *const *conductance;
    const field *volume;         /* open fraction of each cell, 0 … 1; NULL: 1. For cells only */
    const field *capacity;       /* C, at every sample; NULL: 1. For cells only */
    const uint8_t *marks;        /* diffusion_mark by block offset of the field; NULL: all free */
    const field *distance;       /* m, cells: signed distance to the fixed surface; NULL: θ is 1 everywhere */
    /* the Dirichlet value where a link meets the surface, `shift` cells from the fixed sample along an axis; NULL: the
       fixed sample's value */
    double (*held)(const void *context, const int fixed[3], int axis, double shift);
    const void *held_context;
    bool insulated;              /* cells only: none is fixed and no side has a value. The total is then conserved */
} diffusion_problem;

typedef struct diffusion diffusion;

fr_result diffusion_create(const domain *d, diffusion **out);
void diffusion_destroy(diffusion *solver);
size_t diffusion_bytes(const domain *d);

/* Ghosts need not be filled. Allocates nothing. */
solve_stats diffusion_solve(diffusion *solver, field *f, const diffusion_problem *problem, const solve_limits *limits);

/* The same along one axis alone. Along one after the other they are the locally one-dimensional steps of Carlson (2004,
   table 5): tridiagonal systems, of first order in time as well (diffusion_lod.c). */
void diffusion_solve_along(diffusion *solver, field *f, const diffusion_problem *problem, int axis);

#endif
