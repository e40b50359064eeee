/* Straight ways for parcels that carry their velocity.

   Between two kicks of the pressure nothing acts on a parcel. If it flies straight on with its own velocity v it keeps
   its angular momentum x × v; on a way that bends with the flow it does not, and ½ Δt (s² + ω²) of it is lost a second
   where the flow strains at the rate s and turns at ω. But a flow free of divergence keeps no volumes along straight
   ways: det(1 + Δt ∇u) = 1 − ½ Δt² tr (∇u)² + …. So parcels take

     v = u − ∇ψ,     −∇²ψ = ½ Δt tr (∇u)²,     ψ = 0 on the surface, ∂ψ/∂n = 0 at walls,

   and move by it, whose ∇·v makes up for that. Since −∇²p = ρ tr (∇u)² it is the second half of the kick, ½Δt ∇p/ρ, of
   a leapfrog scheme of second order (Zehnder, Narain & Thomaszewski 2018 have it as a reflection of u* at u, which also
   throws back what an impact should take away). A potential that is zero on the surface has no torque, whatever it is:
   ψ need not be exact. u itself stays free of divergence.

   The flight begins in the middle of a step, at x½, and ends in the middle of the next. APIC's parcels fly by their own
   velocity. That of FLIP's differs from parcel to parcel, and would stir them; so they go by the flow, which in the
   next step is read where the flight began: half a step back. */
#ifndef FR_LIQUID_STRAIGHT_H
#define FR_LIQUID_STRAIGHT_H

#include "liquid/liquid.h"

typedef struct straight {
    const liquid_step *step;
    double late;      /* share of −Δt ∇ψ that moves parcels from x½ on, all at once: see `potential` */
    field *source;    /* cells: holds afterwards what is asked of the volume for that, m³ a cell, */
    field *potential; /* and q, m², for δ = −∇q */
    field *velocity;  /* faces, one per axis, ghosts filled: hold afterwards u − kept·velocity − ∇ψ, as
                         far as the transfer's reach */
    float kept;       /* 0: they need not be known before */
} straight;

/* u is next_velocity, and the system that of the pressure, which has just been solved. It has found the first half of
   the kick: the other half, ρψ/Δt, is added to next_pressure. */
void straight_find(const straight *s);

#endif
