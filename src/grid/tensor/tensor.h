/* Divergence of a gradient on a block of cells whose axes are not square to each other, in flux form: with p at the
   centres, δ_k its difference across a face,

     F^k = w^k δ_k p + ½ Σ over the two (3D: four) edges of the face: c ⟨δ_j p⟩,
     A p = −(sum of F out of the cell) + e p,

   where ⟨δ_j p⟩ is the mean of δ_j over those of the faces across j at the edge that are open. A is the gradient of an
   energy, so it is symmetric: 9 cells in 2D, 19 in 3D. (Where one of the faces across k is open and two across j, or
   the other way round, sums of δ count half for both: this keeps it symmetric.) On a fixed side p is 0 half a cell
   away, δ = ±2 p, and faces at the side's edges count a second time for their mirror image.

   Solved by CG preconditioned with a V-cycle: lines of cells along the second axis are solved together, the number of
   cells is halved along the others. Stretched cells, along either axis and changing from place to place, cost no
   iterations; those that lean do: 9 at 45 degrees, 50 at 80. */
#ifndef FR_GRID_TENSOR_TENSOR_H
#define FR_GRID_TENSOR_TENSOR_H

#include "grid/field.h"
#include "linalg/solve.h"

/* What a side is to p. */
typedef enum tensor_side {
    TENSOR_CLOSED,           /* nothing crosses */
    TENSOR_FIXED,            /* p is known on the side: half a cell away */
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

/* flux[k] += scale·F^k of every open face that is not on a closed side; on fixed sides with p = 0 there. Fills the
 * ghosts of p. */
void tensor_add_flow(const tensor *t, field *p, float scale, field flux[3]);

typedef struct tensor_solver tensor_solver;
fr_result tensor_solver_create(const domain *d, tensor_solver **out);
void tensor_solver_destroy(tensor_solver *solver);
size_t tensor_solver_bytes(const domain *d);

/* Makes the levels ready for a matrix: number·(−∇·F) + extra. `extra` (cells; NULL: 0) adds to the diagonal. Cells with
   no open face and no extra take no part. Call again when coefficients, number or extra have changed. Takes memory only
   for pools in more pieces than any before. */
fr_result tensor_solver_set(tensor_solver *solver, const tensor *t, double number, const field *extra);

/* Measures the greatest eigenvalue that the smoother of each level must damp, for the coefficients that were set last;
   it holds for any number, and extra only lowers it. To be called once where axes lean beside closed faces: without it
   the preconditioner may fail there. Costs about as much as five solutions. */
void tensor_solver_measure(tensor_solver *solver);

/* number·(−sum of F out of each cell) + extra·x = right, from x as it stands. Where the matrix is singular (no fixed
   side, no extra: pools that nothing leaves, one or several) means are removed per pool. Ghosts need not be filled.
   Allocates nothing. */
solve_stats tensor_solve(tensor_solver *solver, const field *right, field *x, const solve_limits *limits);

#endif
