/* Implicit diffusion of any field of a block, backward Euler:

     V x − κ Δt ∇·(w ∇x) = V x₀,

   on cells or on the faces across an axis; stable for any Δt (Macêdo 4.1.6). Solved by multigrid-preconditioned CG.

   Where a surface that holds a value cuts the way between a free sample and a fixed one at the share θ of it, the
   difference is taken over θh: the coefficient of that link alone is 1/θ, the matrix stays symmetric, and the answer is
   of second order although the sides of a cell at the surface are not balanced (Gibou, Fedkiw, Cheng & Kang 2002). */
#ifndef FR_GRID_DIFFUSION_H
#define FR_GRID_DIFFUSION_H

#include "grid/halo.h"
#include "linalg/solve.h"

typedef enum diffusion_mark {
    DIFFUSION_FREE,      /* unknown */
    DIFFUSION_WHOLE,     /* unknown, beside a surface that holds a value: shares of its volume and faces do not count */
    DIFFUSION_OUTSIDE,   /* takes no part, nothing crosses to it */
    DIFFUSION_FIXED      /* keeps its value; its neighbours feel it on the surface between, or in its place */
} diffusion_mark;

/* Signed distance to the nearest surface at a sample of the faces across `axis`, or of the cells (−1), from that of the
   cells with its ghosts. Their mean is off by less than h²/8 times the surface's curvature. */
static inline float diffusion_distance(const field *distance, int axis, const int at[3])
{
    const float *d = field_row(distance, at[1], at[2]) + at[0];
    return axis < 0 ? d[0] : 0.5f * (d[0] + d[-distance->stride[axis]]);
}

/* How far it is from a free sample to the surface on the way to a fixed neighbour, as a share θ of the way. 1 where no
   surface lies between them: the neighbour was fixed for another reason. */
static inline float diffusion_reach(const field *distance, int axis, const int free[3], const int fixed[3])
{
    /* a shorter way would tie the sample so hard that its neighbours' part drowns in rounding; the surface moves by at
       most this share of a cell */
    const float least = 0.01f;
    float outside = diffusion_distance(distance, axis, free), inside = diffusion_distance(distance, axis, fixed);
    if (outside <= 0 || inside >= 0)
        return 1;
    float reach = outside / (outside - inside);
    return reach < least ? least : reach;
}

typedef struct diffusion_problem {
    double number;               /* κ Δt, m² */
    const halo_side *sides;      /* six: even (nothing crosses), a value on the side, periodic */
    bool fixed_sides[6];         /* samples that lie on this side keep their value (faces across its axis) */
    const field *const *weights; /* three fields: open share between cells; NULL: 1. For cells only */
    const field *volume;         /* share of each cell that takes part, 0 … 1; NULL: 1. For cells only */
    const uint8_t *marks;        /* diffusion_mark by block offset of the field; NULL: all free */
    const field *distance;       /* m, cells: signed distance to the surface of what is fixed; NULL: none, θ is 1 */
    /* what is held `shift` cells from the centre of a fixed sample along an axis, where a link meets the surface; NULL:
     * the sample's value */
    double (*held)(const void *context, const int fixed[3], int axis, double shift);
    const void *held_context;
    bool insulated; /* cells of which none is fixed and no side has a value: the total is then kept to rounding */
} diffusion_problem;

typedef struct diffusion diffusion;

fr_result diffusion_create(const domain *d, diffusion **out);
void diffusion_destroy(diffusion *solver);
size_t diffusion_bytes(const domain *d);

/* Ghosts need not be filled. Allocates nothing. */
solve_stats diffusion_solve(diffusion *solver, field *f, const diffusion_problem *problem, const solve_limits *limits);

#endif
