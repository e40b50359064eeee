/* The loops of the pressure solver (sph/pressure/solve.h) over particles and walls. */
#ifndef FR_SPH_PRESSURE_SOLVE_PARTS_H
#define FR_SPH_PRESSURE_SOLVE_PARTS_H

#include "sph/state.h"

typedef struct solve_aimed {
    double slope; /* r·d, d the step aimed at: at its begin the energy falls by this */
    double most;  /* length of the step at which the first pressure would become negative */
} solve_aimed;

/* The step that is aimed at, over the one before, from which it takes `momentum`. */
solve_aimed solve_aim(sph_state *s, double length, double momentum);

typedef struct solve_sums {
    double conjugate; /* A d·z */
    double along;     /* Q·A d, Q as it was before */
    double excess;    /* Σ r of the liquid where it is positive */
} solve_sums;

/* Q += l d, r −= l A d, and with Q what it shifts. */
solve_sums solve_step(sph_state *s, double length);

#endif
