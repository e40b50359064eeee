/* Symmetric seven-point systems on a block, matrix-free:

     (A x)_i = Σ_faces c_a w (x_i − x_j) + e_i x_i,

   c_a is one number per axis, w ∈ [0, 1] the open share of the face between i and j, and e ≥ 0 (the "extra") ties the
   cell to a known value (open sides, time derivative). Cells whose weights and e are all 0 are inactive: x = 0 there.
   Solved by CG preconditioned by geometric multigrid. */
#ifndef FR_GRID_POISSON_POISSON_H
#define FR_GRID_POISSON_POISSON_H

#include "grid/field.h"
#include "linalg/solve.h"

typedef struct poisson_operator {
    double coefficient[3];        /* c_a */
    const field *weight[3];       /* faces; NULL: 1 everywhere. Faces on the block's sides count only where periodic */
    const field *extra;           /* centres; NULL: 0 everywhere */
    double extra_constant;        /* added to `extra` in every cell that is active otherwise or has extra > 0 */
    const field *outside;         /* centres, ghosts filled where periodic; cells where it is not negative are inactive
                                     (air): their faces are closed, their extra is not read; NULL: none */
} poisson_operator;

/* A term d u uᵀ of the system, u with few entries. Example: a rigid body that the pressure accelerates along one of its
   degrees of freedom. On a closed component u must sum to 0, as it does for a body inside it. */
typedef struct poisson_term {
    int count;
    const int32_t *cell;          /* i + n_x (j + n_y k), each at most once; inactive cells are left out */
    const float *u;
    double d;                     /* > 0 */
} poisson_term;

typedef struct poisson poisson;

/* `surface`: an operator may have `outside`. */
fr_result poisson_create(const domain *block, bool surface, poisson **out);
void poisson_destroy(poisson *solver);
size_t poisson_bytes(const domain *block, bool surface);   /* what poisson_create will allocate */

/* Builds the operator on every level. Must be called before the first solve and after every change. */
void poisson_set_operator(poisson *solver, const poisson_operator *op);

/* Adds low-rank terms: the system becomes A + Σ d u uᵀ. The terms are kept by reference until the operator or the terms
   are set again. The preconditioner does not include them, so each may cost some iterations. Terms that make the system
   nearly singular (d < 0, pockets of air of unknown pressure) stall at a residual of 1e-4: they would need deflation,
   which is not implemented. */
void poisson_set_terms(poisson *solver, const poisson_term *terms, int count);

/* uᵀx of a term, x the solution of the last solve. */
double poisson_term_product(const poisson *solver, int term);

/* Solves A x = b to the true residual; `x` holds the first guess and then the answer. On each closed component the mean
   of b is removed first, and the answer has mean zero. Allocates nothing. */
solve_stats poisson_solve(poisson *solver, const field *b, field *x, const solve_limits *limits);

/* The same with the first guess in a field of its own; NULL: 0. */
solve_stats poisson_solve_from(poisson *solver, const field *guess, const field *b, field *x,
                               const solve_limits *limits);

/* The same from the answer of the last solve, with the operator that it had. */
solve_stats poisson_solve_on(poisson *solver, const field *b, field *x, const solve_limits *limits);

/* Cells [span[0], span[1]) of a row hold all its active ones; the fields of a solve are not read elsewhere. */
void poisson_active(const poisson *solver, int j, int k, int span[2]);

/* Faces across an axis, and what a difference across them counts. */
typedef struct poisson_faces {
    int axis;
    double factor;
} poisson_faces;

/* Adds factor·(x_i − x_{i−1}) of the last solve to the open faces of a row, (j, k) being that of the cells above them.
   The differences are taken from the double-precision solution: those of the float answer would carry its rounding,
   which for smooth solutions is a hundred times the tolerance. Faces on the block's sides count only where periodic.
   Rows may be visited in parallel once the solution is ready for that. */
void poisson_ready_gradient(poisson *solver);
void poisson_add_gradient_row(const poisson *solver, const poisson_faces *faces, int j, int k, float *row);

/* Solves without multigrid: plain CG with a diagonal preconditioner, for comparison. */
solve_stats poisson_solve_cg(poisson *solver, const field *b, field *x, const solve_limits *limits);

#endif
