/* Divergence of a gradient, in flux form, on a block of cells whose axes need not be orthogonal. With p at the centres
   and δ_k its difference across a face,

     F^k = w^k δ_k p + ½ Σ over the two (3D: four) edges of the face: c ⟨δ_j p⟩,
     A p = −(sum of F out of the cell) + e p,

   where ⟨δ_j p⟩ is the mean of δ_j over the open ones of the faces across j at the edge. A is the gradient of an
   energy, so it is symmetric: 9 cells in 2D, 19 in 3D. (Where one face across k is open and two across j, or the other
   way round, the sums of δ count half for both: this keeps A symmetric.) On a fixed side p is 0, half a cell away, so δ
   = ±2 p; faces at the side's edges count a second time for their mirror image.

   Solved by CG preconditioned with a V-cycle: line relaxation along the second axis, coarsening along the others. Cells
   stretched along either axis, even if the stretching varies, cost no extra iterations. Skewed cells do: 9 at 45
   degrees, 50 at 80. */
#ifndef FR_GRID_TENSOR_TENSOR_H
#define FR_GRID_TENSOR_TENSOR_H

#include "grid/field.h"
#include "linalg/solve.h"

/* The boundary condition of p on a side. */
typedef enum tensor_side {
    TENSOR_CLOSED,           /* nothing crosses */
    TENSOR_FIXED,            /* p is known on the side, half a cell away */
    TENSOR_PERIODIC
} tensor_side;

/* The coefficients. */
typedef struct tensor {
    domain domain;
    tensor_side sides[6];
    field weight[3];         /* w^k on the faces across k; 0: closed */
    field cross[3]; /* c of the edges along axis a, between the faces across the other two: of the edge at the low
                       corner of each cell (so up to index n, in the ghosts). 2D: only cross[2], at the nodes */
} tensor;

fr_result tensor_create(const domain *d, const tensor_side sides[6], tensor *out);
void tensor_destroy(tensor *t);

/* flux[k] += scale·F^k on every open face that is not on a closed side; on fixed sides p = 0. Fills the ghosts of p. */
void tensor_add_flow(const tensor *t, field *p, float scale, field flux[3]);

typedef struct tensor_solver tensor_solver;
fr_result tensor_solver_create(const domain *d, tensor_solver **out);
void tensor_solver_destroy(tensor_solver *solver);
size_t tensor_solver_bytes(const domain *d);

/* Sets the matrix number·(−∇·F) + extra on all levels. `extra` (cells; NULL: 0) adds to the diagonal. Cells with no
   open face and no extra are inactive. Call again when coefficients, number or extra have changed. Allocates only if
   the pools have more runs than ever before. */
fr_result tensor_solver_set(tensor_solver *solver, const tensor *t, double number, const field *extra);

/* Measures the largest eigenvalue that the smoother of each level must damp, for the coefficients set last. It holds
   for any `number`, and `extra` only lowers it. Call it once where cells beside closed faces are skewed: without it the
   preconditioner may fail there. Costs about as much as five solves. */
void tensor_solver_measure(tensor_solver *solver);

/* Solves number·(−sum of F out of each cell) + extra·x = right, with x as the first guess. Where the matrix is singular
   (no fixed side, no extra: one or several pools that nothing leaves) the mean of each pool is removed. Ghosts need not
   be filled. Allocates nothing. */
solve_stats tensor_solve(tensor_solver *solver, const field *right, field *x, const solve_limits *limits);

#endif
