/* Pressure of walls made of particles. It keeps the density of the liquid at a wall particle from exceeding the room
   for it there (sph/room.c), as the pressure of the liquid does inside,

       ρ_b = Σ_j V W_bj ≤ room_b,   Q_b ≥ 0.

   If walls only added to densities and had no pressure, particles beside them would have to bear both halves of each
   pair's force: twice the pressure that is right. Mirroring the liquid's pressure into walls instead gives forces that
   derive from no energy, and still water would stream along its walls. With an unknown for each wall particle (Band,
   Gissler, Ihmsen, Cornelis, Peer & Teschner 2018, "Pressure boundaries for implicit incompressible SPH") they do.

   The constraint is on means over the wall around, e_c = t_c Σ_b s_cb w_b (ρ_b − room_b), and so pressures push by the
   transpose, P_b = w_b Σ_c s_bc t_c Q_c, each wall particle counting by its volume. Without means, liquid that slides
   along a wall would feel its particles as bumps, which brake it more than viscosity does. In the systems that DFSPH
   and PCISPH solve all layers at a place of a wall share one unknown, that of the outermost: with one for each the
   layers ask for things that contradict each other, one for less liquid and the next for more, and the pressure that
   this would take has no bound. WCSPH solves nothing and keeps a mean for each layer. */
#ifndef FR_SPH_PRESSURE_BRACE_H
#define FR_SPH_PRESSURE_BRACE_H

#include "sph/pressure/expect.h"

/* Finds the wall particles around each, after they were placed. Grows lists where there are more than ever before,
   which is the only failure. */
fr_result sph_brace_link(const sph_model *m, sph_state *s);

/* Finds the liquid around each, and which are wet; fails as the other. */
fr_result sph_brace_near(const sph_model *m, sph_state *s, const pairs_set *fluid);

/* What next.velocity and densities ask for, into walls.source: see sph_predict. Where there is little liquid, it may
   come closer. */
void sph_brace_predict(const sph_model *m, sph_state *s, double dt, const sph_recovery *recovery);

/* The same as walls.residual, with the densities that `expect` predicts. */
void sph_brace_expect(sph_state *s, const sph_expect *expect);

/* walls.push from unknowns. */
void sph_brace_push(sph_state *s, const float *unknown);

/* The product of sph_operate: first, of some blocks, what shifts change at each wall particle; then, of all, the mean
   of that over the wall, into walls.product. Returns values·product. */
void sph_brace_change(sph_state *s, int begin, int end);
double sph_brace_product(sph_state *s, const float *values);

/* values·E values. */
double sph_brace_yielding(const sph_state *s, const float *values);

/* Blocks of the wall particles that the liquid has reached; none of walls that do not press. */
static inline int sph_brace_blocks(const sph_state *s)
{
    return sph_blocks(s->walls.reached_count);
}

/* Of those that have the unknown of their place. */
static inline int sph_brace_led_blocks(const sph_state *s)
{
    return sph_blocks(s->walls.led_count);
}

/* e_b for the present densities, into walls.source. */
void sph_brace_excess(sph_state *s);

#endif
