/* Bodies as fluid that is made rigid: two-way coupling after Carlson, Mucha & Turk 2004 and Carlson 2004, chapter 5, in
   its order. Bodies are no obstacles: the fluid fills them, and the pressure is sought where liquid or body is.

     1. u* solves the fluid's equations everywhere, with the source S of the bodies                          (eq. 70)
     2. M v = ∫ ρ_r û dV,   I ω = ∫ r × ρ_r û dV   with û = u* + Δt S/ρ_r                          (eqs. 77, 78, 81, 82)
     3. u = (1 − w) u* + w (v + ω × r)                                                                       (eq. 80)

   With V = (v, ω), J V = v + ω × r on the faces, w the share of each face that a body covers, and its own motion V_n
   for what the text reads off the grid as u_n and its transport, 1 and 2 become

     V = V_n + P + m⁻¹ ρ_f Jᵀ w (u* − J V_n),

   m the body's mass matrix, P the change of its motion by all that is not the fluid: (1 − ρ_f/ρ_r) Δt g, and
   Δt (A_c + α_c × r) of given forces, contacts and joints. The fluid's and the bodies' momentum together change by m P
   exactly, angular momentum too, and what is rigid stays as it is.

   Corrections to the text: α_c × r in eq. 70; the mass in table 7's inertia; w is weighed once, in eq. 79 and not in
   eq. 71 again.

   P acts before the pressure (5.4.1) or after it (eq. 70). Before, it counts ρ_r/ρ_f times, and the flow around a body
   runs ahead of it by (ρ_r/ρ_f − 1) times what it gains in a step: nothing for what is nearly as heavy as the fluid,
   ten times for lead. After, the flow lags behind by up to 1.5 times that for balls, at any density. Acting before
   with the weight 1, as on the body alone, and what is left of it after, gives a third of that: `first` says how much.

   The term ρ_f/ρ_r (u* − J V_n) multiplies what is not rigid by N (1 − ρ_f/ρ_r) a step. N is how much of a motion of
   the body's fluid pressure takes away from it: 1/3 for a ball, 1/2 for a disc in a plane, towards 1 for a plate
   broadside on. Where that is less than −1 it grows, at any step: below a relative density of N/(1 + N), which is a
   quarter for balls and half at worst. `light` bodies go without eq. 84's term (5.7.3), as if their inertia were that
   of the fluid in their place: stable at any density, with their true weight, but not their true momentum. */
#ifndef FR_MAC_COUPLING_RIGID_FLUID_H
#define FR_MAC_COUPLING_RIGID_FLUID_H

#include "mac/coupling/body_cover.h"
#include "rigid/rigid.h"

/* A body in the fluid over one step, after the rigid world has advanced over it. Those that touch no liquid are not
   among them: the world alone has them. */
typedef struct rigid_fluid_body {
    const body_cover *cover;   /* where it is now */
    const rigid_state *before; /* before the world's advance, with the motion that the last projection gave it */
    rigid_state *state;        /* after it, under loads that are its weight less that of as much fluid as its volume,
                                  given forces, contacts and joints; rigid_fluid_project gives it its motion */
    rigid_inverse inverse;     /* in that state */
    double relative;           /* its density, mass over volume, over the fluid's */
    double first;              /* see above; by rigid_fluid_remedy */
    bool light;                /* the same */
} rigid_fluid_body;

/* Chooses `first` and `light` by the relative density. */
void rigid_fluid_remedy(rigid_fluid_body *body);

typedef struct rigid_fluid_flow {
    const domain *d;
    const field *open; /* one per axis: what obstacles leave of each face; NULL: all */
    double density;    /* kg/m³, of the fluid; in 2D of a sheet 1 m deep */
    field *velocity;   /* ghosts, and the doubled faces of periodic axes, are for the caller to fill */
    float *spare;      /* working memory, as large as the largest component; spoilt */
} rigid_fluid_flow;

/* Adds what acts before the pressure to the faces in bodies: with the forces of the fluid, once the fluid's own
   gravity has been added everywhere, bodies included, and the flow has been carried. */
void rigid_fluid_push(const rigid_fluid_body *bodies, int count, const rigid_fluid_flow *flow);

/* After the pressure: gives the bodies their motion at the end of the step, and the faces in them the bodies' motion.
   The flow is then without divergence outside the bodies and inside, but not across their surfaces; the next pressure
   takes care of that. */
void rigid_fluid_project(const rigid_fluid_body *bodies, int count, const rigid_fluid_flow *flow);

/* How many cells a second a body's fastest point crosses, `radius` metres from its centre: no more than one may be
   crossed in a step (5.7.1). */
double rigid_fluid_rate(const domain *d, const rigid_state *state, double radius);

#endif
