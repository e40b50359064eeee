/* WCSPH: pressures from the equation of state, and the acceleration by them in one pass over the pairs. */
#ifndef FR_SPH_PRESSURE_ACCELERATE_H
#define FR_SPH_PRESSURE_ACCELERATE_H

#include "sph/state.h"
#include "sph/pressure/sums.h"

/* Pressures P of the equation of state for the present densities, p/ρ over density² in m²/s², into next.pressure; P
   Δt/d, m/s, into s->impulse and that of walls into walls.impulse. For stage_sph_loads_add unknowns as of the solvers
   (sph/pressure/solve.h), into SPH_UNKNOWN and walls.push. */
void sph_state_equation(const sph_model *m, sph_state *s, double dt);

/* The parts of the velocity change by a particle's own pressure and by walls, to be subtracted; the third part is
   Σ_j impulse_j g_ij over the liquid. */
static inline four sph_press_here(const sph_state *s, int64_t n)
{
    four push = s->impulse[n] * sums_load(&s->gradient[n]);
    return (s->walls.press ? push + sums_weigh(&s->wall_pairs, n, s->walls.impulse) : push) * (four){1, 1, 1, 0};
}

/* Accelerates next.velocity by these pressures and by Monaghan's artificial viscosity between particles that approach
   each other (`viscosity` is his α; 0: none). */
void sph_accelerate(const sph_model *m, sph_state *s, double dt, double viscosity);

#endif
