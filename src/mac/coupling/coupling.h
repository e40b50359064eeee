/* The rigid bodies of a scene in a flow: how they and the fluid move each other.

   Bodies keep to the leapfrog of the surface (liquid/liquid.h), which is second order and neither damps nor feeds what
   swings. A step takes them

     drift      x½ = xⁿ + ½Δt vⁿ                                      here they are laid on the grid
     kick       v* = vⁿ + Δt M⁻¹ (weight and given forces)
     pressure   vⁿ⁺¹ = v* + Δt M⁻¹ Cᵀp, in one system with the flow (grid/projection.h)
     viscosity  the same for what sticks, in one system with the flow (grid/stress/solids.h), then the pressure again
     advance    from xⁿ, vⁿ by these forces to xⁿ⁺¹, vⁿ⁺¹, with contacts, friction and joints (rigid/rigid.h)

   C is what they push (mac/solids): what the fluid loses to a body is what the body gains, to rounding. Contacts and
   joints that act hold in the pressure as well, or a pile of boxes would rest on the water between them. They are
   one-sided: those that hold are chosen before the pressure and looked at after it, until they agree.

   `"one_way"` bodies are laid on the grid and push, and feel nothing. Those of `"rigid_fluid"` and `"carried"` are not
   laid on the grid: see rigid_fluid.h, carried.h. */
#ifndef FR_MAC_COUPLING_COUPLING_H
#define FR_MAC_COUPLING_COUPLING_H

#include "grid/stress/solids.h"
#include "mac/state.h"
#include "method/method.h"
#include "rigid/fleet.h"

typedef struct coupling coupling;

/* For the bodies of the model, which must be there. They stand where they start. */
fr_result coupling_create(const model *m, coupling **out);
void coupling_destroy(coupling *c);
double coupling_bytes(const model *m);

/* Room for them in the pressure's system, once they have been laid on the grid for the first time. */
fr_result coupling_reserve(const model *m, state *s);

/* Puts the bodies that are solid where they are laid. */
void coupling_lay(const coupling *c, bodies *b);

/* Shortens a step until no body goes further in it than `most` metres, its spin included. */
void coupling_limit(const coupling *c, double most, double *dt);

/* Drift: before the obstacles are moved. */
void coupling_drift(coupling *c, double dt);

/* Kick, and the choice of what holds the bodies: once they have been laid. The step is s->now.time … end. */
fr_result coupling_kick(const model *m, state *s);

/* Around a solve of the pressure that acts for dt: the bodies become part of it, and the walls move as they do;
   afterwards they have what it gave them. At the start of a run, before any step, they move as the scene says, and the
   flow has to give way. Says whether what holds them has changed: then all of it must be done again,
   with the last answer to start from. */
void coupling_join(const model *m, state *s);
bool coupling_take(const model *m, state *s, double dt);

/* What the pressure did in the last step pushes the bodies for dt; and this pressure, where they are laid. That is not
   the same: a body that goes on leaves the pressure behind that was around it. */
void coupling_push(coupling *c, double dt);
void coupling_press(const model *m, state *s, const field *pressure, double dt);

/* Around a solve of the viscosity: the walls move as the bodies do by now; those that stick, for its system (NULL:
   there are none); afterwards they have what it gave them, and the walls move as they do. */
bool coupling_sticks(const model *m);
void coupling_bring(state *s);
fr_result coupling_stick(const model *m, state *s, stress_solids **out);
void coupling_feel(const model *m, state *s);
/* Tells the same solids how the bodies move by now; what is done to them is felt as above. */
void coupling_tell(const model *m, state *s);

/* For `"rigid_fluid"`, whose bodies are no obstacles (rigid_fluid.h): what acts on them before the pressure, with the
   forces on the flow; and after it the flow in them, made rigid. The latter says whether the flow has changed. */
void coupling_weigh(coupling *c, state *s);
bool coupling_make_rigid(coupling *c, state *s);
/* Where fluid is in the eyes of the pressure: liquid, with those bodies. */
const field *coupling_surface(const coupling *c, const field *surface);

/* Advance: the next states. */
fr_result coupling_advance(state *s);
void coupling_accept(coupling *c);
void coupling_undo(coupling *c);

/* What the fluid has given to all bodies in the last step, N s. */
void coupling_impulse(const coupling *c, double sum[3]);

/* For frames and ledgers. */
const fleet *coupling_fleet(const coupling *c);

/* What a snapshot holds of them, and what else a step leaves behind: made again once the surface is known. */
fr_result coupling_restored(state *s);
void coupling_list_blocks(coupling *c, method_run *to);

#endif
