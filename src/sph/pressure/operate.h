/* The operator of the pressure system (sph/pressure/solve.h): shifts by pressures, and the change of densities by them.

   Lengths are in spacings d. With the unknown Q_i = (Δt/d)² p_i/(ρ_i δ_i), pressure shifts a particle in a step by

       s = −Dᵀ Q,   s_i = −(Q_i G_i + Σ_j Q_j g_ij + Σ_b P_b g_ib),   G_i = Σ_j g_ij + Σ_walls g_ib,

   which changes its density by D s, s_i·G_i − Σ_j s_j·g_ij, and that at walls as sph/pressure/brace.h says. All
   particles have the same mass, so A = D Dᵀ: symmetric, and Qᵀ A Q = Σ |s|² is the energy that the pressures bring. */
#ifndef FR_SPH_PRESSURE_OPERATE_H
#define FR_SPH_PRESSURE_OPERATE_H

#include "sph/state.h"

/* SPH_PRODUCT = (A + E) v, v one of s->numbers and, with `wall_values`, of the walls' numbers; the shifts by v stay in
   SPH_SHIFT, what walls push with in walls.push. Returns v·(A + E) v. */
double sph_operate(sph_state *s, const float *values, const float *wall_values);

/* The shifts and pushes alone. Returns v·(A + E) v = Σ |s|² + v·E v. */
double sph_operate_shift(sph_state *s, const float *values, const float *wall_values);

/* E, which regularises: pressures whose sum shifts nothing, and walls that ask for what they cannot have, would
   otherwise grow without bound. In the liquid a density error for a pressure of 1, three times the greatest that a step
   is made for: a slight compressibility. More where there is no surface, from which on pressures are counted: there
   only this says how high they are. At walls a share of the diagonal of A. Particles
   that have next to no diagonal yield more (sph_operate_yielding). */
static const float SPH_REGULAR = 1e-5f, SPH_REGULAR_FULL = 1e-3f, SPH_REGULAR_WALL = 1e-3f;

/* E of particle n. What walls alone surround, between two that draw near, has next to no diagonal: no shift could meet
   what it is asked for. It yields: A + E is never less than half of what a single neighbour, a spacing away, would give
   it (as near_combine has it). */
static inline float sph_operate_yielding(const sph_state *s, int64_t n)
{
    float lacking = s->neighbour - 1 / s->gradient[n][3];
    return lacking > s->yielding ? lacking : s->yielding;
}

#endif
