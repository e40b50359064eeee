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

/* Finds what particles touch, for the neighbours of the step under way. Fails when memory runs out. */
fr_result sph_bodies_near(const sph_model *m, sph_state *s);

/* After shifts and pushes by `values`, and what those change: adds what bodies do to SPH_PRODUCT and to that of walls.
   Returns the former's share of values·product. */
double sph_bodies_answer(sph_state *s, const float *values);

/* The way of that body which the last answer moved most, spacings; 0 without bodies. An error that is small in the
   liquid's energy may be a great velocity of a light body. */
double sph_bodies_most(const sph_state *s);

/* The walls of bodies move as the unknowns of the last product push them. */
void sph_bodies_lead(const sph_model *m, sph_state *s, const float *values, double dt);

/* After a solve: whether what holds the bodies has changed, and it must be done again from what it came to. */
bool sph_bodies_turn(const sph_model *m, sph_state *s, double dt);

#endif
