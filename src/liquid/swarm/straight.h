/* Straight ways for parcels that carry their velocity.

   Between two kicks of the pressure nothing acts on a parcel. If it flies straight on with its own velocity v it keeps
   its angular momentum x × v; on a way that bends with the flow it does not, and ½ Δt (s² + ω²) of it is lost a second
   where the flow strains at the rate s and turns at ω. But a flow free of divergence keeps no volumes along straight
   ways: det(1 + Δt ∇u) = 1 − ½ Δt² tr (∇u)² + …. So parcels take

     v = u − ∇ψ,     −∇²ψ = ½ Δt tr (∇u)²,     ψ = 0 on the surface, ∂ψ/∂n = 0 at walls,

   whose ∇·v makes up for that. Since −∇²p = ρ tr (∇u)² it is the second half of the kick, ½Δt ∇p/ρ, of a leapfrog
   scheme of second order (Zehnder, Narain & Thomaszewski 2018 have it as a reflection of u* at u, which also throws
   back what an impact should take away). A potential that is zero on the surface has no torque, whatever it is: ψ need
   not be exact. u itself stays free of divergence. */
#ifndef FR_LIQUID_STRAIGHT_H
#define FR_LIQUID_STRAIGHT_H

#include "liquid/liquid.h"

/* What parcels take and fly with, from next_velocity: faces, ghosts filled. Adds what ψ is of the pressure, ρψ/Δt, to
   next_pressure. The system is that of the pressure, which has just been solved. Spoils both scratch memories. */
void straight_find(const liquid_step *step, field to[3]);

#endif
