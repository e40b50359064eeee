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

/* A rigid body that moves with the pressure. Its degrees of freedom are 3 velocities and 3 spins about its centre of
   mass; the pressure's force along one of them is Σ_n push[d][n] p[cell[n]]. */
typedef struct poisson_body {
    int count;
    const int32_t *cell;          /* i + n_x (j + n_y k), each at most once; inactive cells are left out */
    const float *push[6]; /* m², of spins m³: what it sweeps out of cell[n] per unit of its velocity. NULL: it does
                             not have that degree of freedom (in 2D 2, 3 and 4, of balls the spins) */
    double inverse[6][6]; /* symmetric, ≥ 0: density of the fluid times the inverse of its mass matrix; 0: it is not
                             moved */
} poisson_body;

/* A constraint on the velocities of bodies that holds in the solve, an active contact or a joint: the pressure does not
   change the sum of row·velocity over its bodies. */
typedef struct poisson_row {
    int body[2];                  /* −1: the world */
    double row[2][6];
} poisson_row;

typedef struct poisson poisson;

/* `surface`: an operator may have `outside`. */
fr_result poisson_create(const domain *block, bool surface, poisson **out);
void poisson_destroy(poisson *solver);
size_t poisson_bytes(const domain *block, bool surface);   /* what poisson_create will allocate */

/* Builds the operator on every level. Must be called before the first solve and after every change. */
void poisson_set_operator(poisson *solver, const poisson_operator *op);

/* Room for as many bodies, cells that they push (all together) and rows, before the first step; once for a solver. */
fr_result poisson_reserve_bodies(poisson *solver, int bodies, int cells, int rows);
size_t poisson_bodies_bytes(const domain *block, int bodies, int cells, int rows);  /* what that will allocate */

/* Adds bodies: the system becomes A + C K Cᵀ, with their pushes C and inverse masses K less what the rows take off
   them. Bodies and rows are kept by reference until they or the operator are set again; setting the operator leaves
   none. A closed component that bodies can compress loses no mean: p has a level there. Where a body sweeps next to
   nothing out of a closed component, less than 1e-3 of what it sweeps in and out, that is taken for rounding, and for
   nothing. Returns for how many rows there is room: all of up to about 2400, else perhaps not the last ones. Allocates
   nothing. */
int poisson_set_bodies(poisson *solver, const poisson_body *bodies, int count, const poisson_row *rows, int row_count);

/* Other rows for the same bodies: cheap. */
int poisson_set_rows(poisson *solver, const poisson_row *rows, int count);

/* Cᵀx of a body, x the solution of the last solve: the pressure's generalised force. */
void poisson_push(const poisson *solver, int body, double force[6]);

/* Solves A x = b to the true residual; `x` holds the first guess and then the answer. On each closed component the mean
   of b is removed first, and the answer has mean zero; of components that bodies compress, what no motion of them can
   balance. Allocates nothing. */
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
