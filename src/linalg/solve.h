/* Stopping criteria and statistics of all linear solvers. */
#ifndef FR_LINALG_SOLVE_H
#define FR_LINALG_SOLVE_H

#include <stdbool.h>

typedef struct solve_limits {
    double tolerance;       /* stop when the norms of the residual, relative to those of b, fall to this */
    double absolute;        /* … or the residual's largest element falls to this */
    int max_iterations;
} solve_limits;

typedef struct solve_stats {
    int iterations;
    double residual;        /* true residual b − A x, largest element, relative to that of b (0 when b = 0) */
    bool converged;
    double bytes;           /* lower bound of the solver's memory traffic; 0: not counted */
} solve_stats;

#endif
