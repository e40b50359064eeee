/* Particles that were put back out of rigid bodies, and what both get of it.

   A body is no wall: one that weighs less than a particle would be thrown by what stops that. So particle and body meet
   as two masses do that do not bounce, with the impulse

       λ = ((V + Ω × r − v)·n) / (1/m + n·K n)   where they draw near,

   K the body's inverse mass at the contact. All are taken one after the other, each with what those before have left:
   momentum is kept, and energy is only lost, however many meet a body at once and however light it is. */
#ifndef FR_SPH_FLOATING_KNOCK_H
#define FR_SPH_FLOATING_KNOCK_H

#include "base/vec.h"
#include "sph/state.h"

typedef struct floating_knock {
    int32_t particle, body;
    vec3 at, normal;             /* m, the contact; out of the body */
    double wall;                 /* m/s, of the body's surface along the normal */
} floating_knock;

/* Of one part of the liquid, in the order of its particles. */
typedef struct floating_knocks {
    floating_knock *of;
    int64_t count, room;
} floating_knocks;

/* Whether the liquid moves this one of the model's bodies. */
bool sph_floating_gives_way(const sph_state *s, int body);

/* Notes one for the end of the step; `body` is the model's. Fails when memory runs out. */
fr_result sph_floating_meet(sph_state *s, int part, const floating_knock *knock);

/* All that were noted: velocities of particles and of the bodies' next states. */
void sph_floating_knock(sph_state *s);

#endif
