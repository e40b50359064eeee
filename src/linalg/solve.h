/* What every solver is asked for and what it tells. */
#ifndef FR_LINALG_SOLVE_H
#define FR_LINALG_SOLVE_H

#include <stdbool.h>

typedef struct solve_limits {
    double tolerance;       /* stop when the residual's norms fall to this share of the right-hand side's */
    double absolute;        /* … or its largest element to this */
    int max_iterations;
} solve_limits;

typedef struct solve_stats {
    int iterations;
    double residual;        /* true residual b − A x, largest element, relative to that of b (0 when b = 0) */
    bool converged;
    double bytes;           /* that the solver had to move through memory at the least; 0: not counted */
} solve_stats;

#endif
