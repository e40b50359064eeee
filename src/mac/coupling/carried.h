/* Bodies that the flow carries and that do not push it: they are not in the fluid at all. Its force on a body is that
   on a small one in a flow that does not know of it (Maxey & Riley 1983, with drag at any Reynolds number):

     ρ_f V (Du/Dt − g)                  what the flow's pressure would do to the fluid in its place; over its volume in
                                        pieces, so that it turns the body, too: what floats rights itself
     C ρ_f V (Du/Dt − dv/dt)            added mass, C a tensor along the axes of the body's shape
     k (u − v),  k_ω (½ ∇×u − ω)        drag towards the mean flow and its mean spin in the body

   all over the body's wet part, which is known to a quarter of a cell in depth. Added mass and drag are solved for
   together with what else acts on the body, for its velocity at the end of the step, with the drag as it is then:
   stable at any density and step, and exact where the body has come to rest in the flow.

   Added mass: an ellipsoid with the axes of the shape's box has C_i = (1/a_i) / Σ_{j≠i} 1/a_j, up to a fifth too
   little for flat and a fifth too much for long ones, and exact for balls (0.5), for discs, ellipses and cylinders
   across. There is none for spin, which is right for balls. Drag: White 1991, for a ball of the same volume (24/Re +
   6/(1 + √Re) + 0.4), in 2D for a cylinder (1 + 10/Re^⅔). The torque of a ball that turns slowly, 8πμr³, in 2D 4πμr²,
   and the steady part of the drag as if it acted at the radius of gyration.

   Contacts and joints are not known here: a body that they hold feels added mass against the fall that it would have
   without them. */
#ifndef FR_MAC_COUPLING_CARRIED_H
#define FR_MAC_COUPLING_CARRIED_H

#include "mac/coupling/body_cover.h"
#include "rigid/rigid.h"

/* What of a shape matters; once for all. */
typedef struct carried_form {
    double volume;   /* m³; in 2D m² */
    double radius;   /* m, of a ball (2D: disc) of that volume */
    double added[3]; /* C along the axes of the shape */
} carried_form;

/* From the shape's bounds in its own coordinates. */
carried_form carried_form_of(int dims, const double min[3], const double max[3], double volume);

typedef struct carried_body {
    const body_cover *cover; /* where it is at the beginning of the step */
    const carried_form *form;
    const rigid_state *state; /* then */
    rigid_inverse inverse;    /* in that state */
    rigid_load given;         /* its weight and whatever else acts on it but the fluid */
} carried_body;

typedef struct carried_flow {
    const domain *d;
    const field *velocity; /* now, known some cells beyond the liquid, ghosts filled */
    const field *before;   /* a step ago; NULL: it was the same */
    const field *surface;  /* cells: φ, negative in the liquid; NULL: fluid everywhere */
    double gravity[3];     /* m/s² */
    double density;        /* kg/m³ */
    double viscosity;      /* m²/s */
    double past;           /* s, how long ago `before` was */
    double dt;             /* s, the step to come */
} carried_flow;

/* The fluid's mean force and torque on each body over the coming step, to be added to its loads before the rigid world
   advances. None on fixed, absent and dry bodies. Changes nothing else. */
void carried_loads(const carried_body *bodies, int count, const carried_flow *flow, rigid_load *loads);

#endif
