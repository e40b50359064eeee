/* Preconditioned conjugate gradients by callbacks (Hestenes and Stiefel 1952; Saad, Iterative Methods for Sparse
   Linear Systems, 2nd edition, algorithm 9.1). It knows neither vectors nor grids: the context owns b, x, r, z, p
   and q, and each callback is one fused pass over them. */
#ifndef FR_LINALG_PCG_H
#define FR_LINALG_PCG_H

#include "linalg/solve.h"

typedef struct pcg_norms {
    double l2, max;
} pcg_norms;

typedef struct pcg_system {
    void *context;
    const pcg_norms *right;                             /* norms of b; set by `residual` */
    pcg_norms (*residual)(void *context);               /* true residual r = b − A x and its norms; keeps p */
    double (*precondition)(void *context);              /* z = M r; returns z·r */
    double (*direction)(void *context, double beta);    /* p = z + β p, q = A p; returns p·q. For β = 0 p may be
                                                           uninitialised */
    pcg_norms (*step)(void *context, double alpha);     /* x += α p, r −= α q; norms of r */
    bool *more;                                         /* set before each step: it looks as if another iteration will
                                                           follow, which may be begun with it. NULL: not asked */
    bool trusting;                                      /* ends by the recursive residual, or by the number of
                                                           iterations; x then lacks the last step until the caller
                                                           asks for it */
    int patience;                                       /* gives up when the residual has not halved in this many
                                                           iterations; 0: never */
} pcg_system;

/* Iterates until the true residual meets the limits: both norms relative to those of b, or the largest element below
   `absolute`. The recursive residual is replaced by the true one from time to time. Values that are not finite end
   the solve with converged = false. b = 0 needs no iteration. */
solve_stats pcg_solve(const pcg_system *system, const solve_limits *limits);

#endif
