/* Preconditioned conjugate gradients by callbacks (Hestenes and Stiefel 1952; Saad, Iterative Methods for Sparse
   Linear Systems, 2nd edition, algorithm 9.1). Knows neither vectors nor grids: the context owns b, x, r, z, p and
   q, and each callback is one fused pass over them. */
#ifndef FR_LINALG_PCG_H
#define FR_LINALG_PCG_H

#include "linalg/solve.h"

typedef struct pcg_norms {
    double l2, max;
} pcg_norms;

typedef struct pcg_system {
    void *context;
    const pcg_norms *right;                             /* of the right-hand side; set by `residual` */
    pcg_norms (*residual)(void *context);               /* r = b − A x, the true one; its norms. Leaves p */
    double (*precondition)(void *context);              /* z = M r; returns z·r */
    double (*direction)(void *context, double beta);    /* p = z + β p (p = z for β = 0: p may hold anything), q = A p;
                                                           returns p·q */
    pcg_norms (*step)(void *context, double alpha);     /* x += α p, r −= α q; norms of r */
    int patience;                                       /* gives up after so many iterations that do not halve the
                                                           residual together; 0: never */
} pcg_system;

/* Iterates until the true residual keeps the limits: both norms relative to those of the right-hand side, or the
   largest element below `absolute`. The true residual takes the place of the recursive one now and then. Stops at
   numbers that are not finite, with converged = false. A right-hand side of 0 needs no iteration. */
solve_stats pcg_solve(const pcg_system *system, const solve_limits *limits);

#endif
