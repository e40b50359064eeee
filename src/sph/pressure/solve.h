/* The pressure solver of DFSPH and PCISPH. Pressures may only push, and with the operator A of sph/pressure/operate.h
   those that leave no liquid denser than asked, A Q ≥ source, and equal to it where Q > 0, are the ones that

       minimise ½ Qᵀ (A + E) Q − sourceᵀ Q   with Q ≥ 0,

   walls included: a convex problem with one answer. It is solved by conjugate gradients that stay where Q ≥ 0 (after
   Polyak 1969): each goes from Q towards max(0, Q + σ (z + β p)), z the preconditioned residual of what may change, p
   the last step and β such that the two would be conjugate; and just as far as brings the least energy. So energy falls
   in every step, no pressure is ever negative, each step costs one product with A, and where signs have settled they
   are the steps of conjugate gradients. */
#ifndef FR_SPH_PRESSURE_SOLVE_H
#define FR_SPH_PRESSURE_SOLVE_H

#include "sph/pressure/predict.h"

typedef struct sph_solve {
    const sph_expect *expect; /* predicts densities at the shifted positions; NULL: rates alone, source − A Q */
    double dt;                /* s */
    double tolerance;         /* of the mean residual, as a share of the density */
    const sph_recovery *recovery;
    int most;       /* iterations */
    int iterations; /* that it took: products with A, and rounds that went on without one */
    bool surface;   /* the liquid has one */
    bool converged;
    double crowding; /* of liquid without a surface: mean of densities that are too high at the begin */
    double mean;     /* of residuals that are too high; with `expect`, of densities that are */
    double error;    /* that is left, √(its energy over that of the pressures) */
} sph_solve;

/* Solves from SPH_UNKNOWN and walls.unknown as they stand; leaves Q there and the shifts in SPH_SHIFT. */
void sph_solve_run(const sph_model *m, sph_state *s, sph_solve *solve);

#endif
