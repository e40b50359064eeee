/* Friction between the liquid and the bodies that it sticks to (sph/stage/drag.h). What a body's wall particles take
   from the liquid the body has, so its velocity is not given but

       V = V* + K (B u − S V),   B u − S V the friction on it, of velocities u of the liquid,

   K its inverse masses, less what contacts and joints that act take away. V is put in for the velocity of its walls
   wherever friction is asked for: what is left is symmetric and positive in u, and a cork in honey goes along with
   it. */
#ifndef FR_SPH_FLOATING_GRIP_H
#define FR_SPH_FLOATING_GRIP_H

#include "sph/stage/drag.h"

/* Friction at one touch of sph_floating: Σ c q qᵀ over the pairs, q = g and r × g. */
typedef struct floating_grip {
    double of[6][6];
} floating_grip;

/* Finds B and S for the present friction. Fails when memory runs out. */
fr_result sph_grip_find(const sph_drag *drag);

/* Walls of bodies move as those do with these velocities of the liquid; `homogeneous`: with V* = 0, into
   walls.answer. */
void sph_grip_lead(const sph_drag *drag, const particle_vector *v, bool homogeneous);

#endif
