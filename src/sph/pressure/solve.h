/* The solver of DFSPH and PCISPH: pressures that take away what a prediction says of the density.

   In lengths of the spacing d: with the unknown Q_i = (Δt/d)² p_i/(ρ_i δ_i), the shift that the pressures give a
   particle in a step is s_i = −(Q_i G_i + Σ_j Q_j g_ij + Σ_b P_b g_ib),   G_i = Σ_j g_ij + Σ_walls g_ib, and what it
   does to the density is s_i·G_i − Σ_j s_j·g_ij. PCISPH sums the densities that the shifts lead to instead, first of
   all and when all seems done; between, this goes on from there. What walls push with, P_b, is found along with Q: see
   sph_brace.h. */
#ifndef FR_SPH_PRESSURE_SOLVE_H
#define FR_SPH_PRESSURE_SOLVE_H

#include "sph/pressure/expect.h"

typedef struct sph_solve {
    const sph_expect
        *expect; /* densities must be right where the shifts lead to; NULL: by their rates, source + change(Q) */
    float relax; /* share of a Jacobi step: a whole one overshoots, because neighbours correct the same excess */
    float wall_relax;        /* the same times the diagonal, of walls */
    double tolerance;        /* greatest mean of what is left, as a share of the density */
    int least, most;         /* iterations */
    int iterations;          /* that it took */
    double left; /* the mean: of densities too high, and of those too low where pressure can be taken away */
    double mean, max;        /* of densities too high alone */
    double work, stray; /* Σ Q source where that is above 0: what pressure takes from the motion; Σ Q |left|: what it
                           takes too little, or gives */
    double drift;            /* the part of that which does not cancel out within blocks of particles */
} sph_solve;

/* Share of a step for one particle: the relaxation times its diagonal. */
static inline float sph_solve_relax(const sph_solve *solve, const sph_state *s, int64_t n)
{
    float diagonal = s->gradient[n][3];
    return solve->relax * (solve->expect && solve->expect->diagonal < diagonal ? solve->expect->diagonal : diagonal);
}

/* Solves source + change(Q) ≤ 0, Q ≥ 0, from s->unknown as it stands; leaves Q there and the shifts in s->shift. */
void sph_solve_run(const sph_model *m, sph_state *s, sph_solve *solve);

/* Δt times the rate of the density for a velocity of the fluid, into s->source, and what is to be taken back of the
   density; NULL: nothing. */
void sph_solve_predict(const sph_model *m, sph_state *s, const particle_vector *velocity, double dt,
                       const sph_recovery *recovery);

#endif
