/* Pressure of walls made of particles. It keeps the density of the liquid at a wall particle from exceeding the room
   for it there (sph/room.c), as the pressure of the liquid does inside,

       ρ_b = Σ_j V W_bj ≤ room_b,   Q_b ≥ 0.

   If walls only added to densities and had no pressure, particles beside them would have to bear both halves of each
   pair's force: twice the pressure that is right. Mirroring the liquid's pressure into walls instead gives forces that
   derive from no energy, and still water would stream along its walls. With an unknown for each wall particle (Band,
   Gissler, Ihmsen, Cornelis, Peer & Teschner 2018, "Pressure boundaries for implicit incompressible SPH") they do.

   The constraint is on the mean e_b = Σ_c s_bc (ρ_c − room_c) over the wall around b, and so pressures push by its
   transpose, P_c = Σ_b s_bc Q_b. Without means, liquid that slides along a wall would feel its particles as bumps,
   which brake it more than viscosity does. */
#ifndef FR_SPH_PRESSURE_BRACE_H
#define FR_SPH_PRESSURE_BRACE_H

#include "sph/pressure/solve.h"

/* Finds the wall particles around each, after they were placed. Grows lists where there are more than ever before,
   which is the only failure. */
fr_result sph_brace_link(const sph_model *m, sph_state *s);

/* Finds the liquid around each, and which are wet; fails as the other. */
fr_result sph_brace_near(const sph_model *m, sph_state *s, const pairs_set *fluid);

/* The source of walls, into walls.source; see sph_solve_predict. Where there is little liquid, it may come closer. */
void sph_brace_predict(const sph_model *m, sph_state *s, const particle_vector *velocity, double dt,
                             const sph_recovery *recovery);

/* The part of a wall particle's unknown that each wall particle around it is weighted with. */
static inline void sph_brace_offer(sph_walls *w, int64_t b, float unknown) { w->offer[b] = w->even[b] * unknown; }

/* walls.push from walls.unknown. */
void sph_brace_push(sph_state *s);

/* A sweep of the solver, in three parts: residuals of some blocks, with `expect` at the predicted positions; the next
   unknowns from them; and the exchange of unknowns, with the new push. Walls have no momentum: their pressures and
   those of the liquid beside them would oscillate against each other with growing amplitude. */
void sph_brace_left(sph_state *s, const sph_expect *expect, int begin, int end);
void sph_brace_advance(sph_state *s, float relax);
void sph_brace_next(sph_state *s);

/* Blocks of the wall particles that the liquid has reached; none of walls that do not press. */
static inline int sph_brace_blocks(const sph_state *s) { return sph_blocks(s->walls.reached_count); }

/* e_b for the present densities, into walls.source. */
void sph_brace_excess(sph_state *s);

#endif
