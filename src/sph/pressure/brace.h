/* Walls made of particles bear a pressure of their own: it keeps the liquid from becoming denser at a wall than there
   is room for it (sph/room.c), as the pressure of the liquid does within,

       ρ_b = Σ_j V W_bj ≤ room_b,   Q_b ≥ 0.

   A wall that only fills up the densities of the particles beside it leaves both halves of each pair to them, and they
   show twice the pressure that they should. Giving it their pressure instead would be the slope of no energy, and still
   water would stream along its walls. Each wall particle as an unknown of its own (Band, Gissler, Ihmsen, Cornelis,
   Peer & Teschner 2018, "Pressure boundaries for implicit incompressible SPH") is the slope of one.

   What is held is the mean e_b = Σ_c s_bc (ρ_c − room_c) over the wall around b, and so pressures push by P_c = Σ_b
   s_bc Q_b: liquid that slides along a wall would otherwise feel its particles as bumps, which brake it more than all
   its inner friction. */
#ifndef FR_SPH_PRESSURE_BRACE_H
#define FR_SPH_PRESSURE_BRACE_H

#include "sph/pressure/solve.h"

/* Finds the wall particles around each, after they were placed. Grows lists where there are more than ever before, which is the only failure. */
fr_result sph_brace_link(const sph_model *m, sph_state *s);

/* Finds the liquid around each; fails as the other. */
fr_result sph_brace_near(const sph_model *m, sph_state *s, const pairs_set *fluid);

/* What sph_solve_predict does for the liquid: into walls.source. Before there is enough of it, it may come closer. */
void sph_brace_predict(const sph_model *m, sph_state *s, const particle_vector *velocity, double dt,
                             const sph_recovery *recovery);

/* Of one wall particle what its unknown gives to those around. */
static inline void sph_brace_offer(sph_walls *w, int64_t b, float unknown) { w->offer[b] = w->even[b] * unknown; }

/* walls.push from walls.unknown. */
void sph_brace_push(sph_state *s);

/* The solver's iteration: what the shifts of the liquid leave of the sources of some blocks, with `expect` where they
   lead to, which the sources take on; then what follows from that as the next unknowns; then these and their push take
   the place of the last ones. Walls do not look ahead as the liquid does: their pressures and those beside them would
   swing against each other, and what the liquid shows there grow with every sweep. */
void sph_brace_left(sph_state *s, const sph_expect *expect, int begin, int end);
void sph_brace_advance(sph_state *s, float relax);
void sph_brace_next(sph_state *s);

/* Blocks of the wall particles that the liquid has reached; none of walls that do not press. */
static inline int sph_brace_blocks(const sph_state *s) { return sph_blocks(s->walls.reached_count); }

/* e_b for the present densities, into walls.source. */
void sph_brace_excess(sph_state *s);

#endif
