/* Rigid bodies in the pressure's system (sph/pressure/solve.h). A body gives way to what pushes it, and so do its wall
   particles: with C the sums of g and r × g over them, K its inverse mass matrix in masses of a particle, unknowns Q
   shift it by K Cᵀ Q spacings, which changes densities by −C K Cᵀ Q,

       (A + E + C K Cᵀ) Q = source.

   It is symmetric and positive, and what the liquid loses to a body is what that gains, to rounding, whatever the
   solver leaves. Added mass is in it: a body of a hundredth of the liquid's density is no harder than one of lead.
   Contacts and joints that act hold in it, as K less what they take away. */
#ifndef FR_SPH_PRESSURE_BODIES_H
#define FR_SPH_PRESSURE_BODIES_H

#include "sph/state.h"

/* Whether some body moves as the liquid pushes it. */
bool sph_bodies_feel(const sph_state *s);

/* Finds what particles touch, for the neighbours of the step under way. Fails when memory runs out. */
fr_result sph_bodies_near(const sph_model *m, sph_state *s);

/* Adds to the products (A + E) v, SPH_PRODUCT and that of walls, what bodies do, C K Cᵀ v. Returns v·C K Cᵀ v. */
double sph_bodies_answer(sph_state *s, const float *values, const float *wall_values);

/* The way of that body which the last answer moved most, spacings; 0 without bodies. An error that is small in the
   liquid's energy may be a great velocity of a light body. */
double sph_bodies_most(const sph_state *s);

/* Bodies in the preconditioner: a light one would answer to any z with a multiple of it. With D the diagonal, P what is
   for the smooth part and F = D⁻¹ C, z = R (D⁻¹ + P) Rᵀ r + …, R = 1 − F (K⁻¹ + Cᵀ F)⁻¹ Cᵀ, pushes no body more than it
   bears, and is the inverse of D + C K Cᵀ where P is 0. Before P takes its part of the residuals, and after it; then
   returns what it changes the products' sum with the corrections by. */
void sph_bodies_before(sph_state *s);
double sph_bodies_after(sph_state *s);

/* Whether they are in it from now on: not where cutting off at 0 what would be negative leaves nothing to go by. Says
   whether they were. */
bool sph_bodies_ease(sph_state *s, bool on);

/* The walls of bodies move as the unknowns push them. */
void sph_bodies_lead(const sph_model *m, sph_state *s, double dt);

/* After a solve: whether what holds the bodies has changed, and it must be done again from what it came to. */
bool sph_bodies_turn(const sph_model *m, sph_state *s, double dt);

#endif
