/* The pressure solver of DFSPH and PCISPH: pressures that correct the predicted density error, by projected Jacobi
   sweeps with momentum.

   Lengths are in spacings d. With the unknown Q_i = (Δt/d)² p_i/(ρ_i δ_i), pressure shifts a particle in a step by

       s_i = −(Q_i G_i + Σ_j Q_j g_ij + Σ_b P_b g_ib),   G_i = Σ_j g_ij + Σ_walls g_ib,

   which changes its density by s_i·G_i − Σ_j s_j·g_ij. PCISPH instead sums densities at the shifted positions: in the
   first sweep, and again when all seems done; the sweeps between go by the rates above. The push P_b of walls is solved
   for along with Q: see sph/pressure/brace.h. */
#ifndef FR_SPH_PRESSURE_SOLVE_H
#define FR_SPH_PRESSURE_SOLVE_H

#include "sph/pressure/expect.h"

typedef struct sph_solve {
    const sph_expect *expect; /* predicts densities at the shifted positions; NULL: rates alone, source + change(Q) */
    float relax; /* share of a Jacobi step: a whole one overshoots, because neighbours correct the same excess */
    float wall_relax;        /* the same times the diagonal, of walls */
    double tolerance;        /* of the mean residual, as a share of the density */
    int least, most;         /* iterations */
    int iterations;          /* that it took */
    double left; /* mean residual: densities too high, and those too low where less pressure can correct them */
    double mean, max;        /* of densities too high alone */
    double work;             /* Σ Q source where the source is above 0: the work of pressure on the motion */
    double stray;            /* Σ Q |residual|: the work done wrongly */
    double drift;            /* the same with errors cancelled within blocks of particles */
} sph_solve;

/* Relaxation of one particle: `relax` over its diagonal, whose inverse is gradient[n][3]. */
static inline float sph_solve_relax(const sph_solve *solve, const sph_state *s, int64_t n)
{
    float diagonal = s->gradient[n][3];
    return solve->relax * (solve->expect && solve->expect->diagonal < diagonal ? solve->expect->diagonal : diagonal);
}

/* Solves source + change(Q) ≤ 0, Q ≥ 0, from SPH_UNKNOWN as it stands; leaves Q there, the shifts in SPH_SHIFT. */
void sph_solve_run(const sph_model *m, sph_state *s, sph_solve *solve);

/* The source of the solve, into SPH_SOURCE: Δt dρ/dt for a velocity of the fluid, and the part of the density error
   that this step is to correct (recovery NULL: none of it). */
void sph_solve_predict(const sph_model *m, sph_state *s, const particle_vector *velocity, double dt,
                       const sph_recovery *recovery);

#endif
