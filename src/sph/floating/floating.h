/* The rigid bodies of a scene in a liquid of particles: how they and the liquid move each other.

   To the liquid a body is an obstacle made of wall particles; its loads are equal and opposite to what these do to the
   liquid, pair by pair. Velocities of particles belong to the middle of steps, places to their ends: xⁿ⁺¹ = xⁿ + Δt
   vⁿ⁺½. So do those of bodies in the liquid's eyes:

     lay        where they are at the step's begin
     kick       v* = vⁿ⁻½ + Δt M⁻¹ (weight and given forces); contacts and joints that act are chosen
     friction   v* with what sticks to them
     pressure   vⁿ⁺½ = v* + Δt M⁻¹ Cᵀp, in one system with the liquid (sph/pressure/bodies.h)
     advance    by all of these loads, with contacts, friction and joints (rigid/rigid.h), from a velocity with which
                a body that flies free goes just Δt vⁿ⁺½ far

   A leapfrog, of second order: it neither damps nor feeds what heaves. What the world of bodies ends with, vⁿ⁺¹, is
   half a step of loads ahead of vⁿ⁺½; that much is kept to go back by. `"one_way"` bodies push, and feel nothing. */
#ifndef FR_SPH_FLOATING_FLOATING_H
#define FR_SPH_FLOATING_FLOATING_H

#include "rigid/fleet.h"
#include "sph/floating/knock.h"

/* What of a body outlives a step besides fleet_body. Plain numbers, as a snapshot holds them. */
typedef struct floating_body {
    rigid_vector ahead;          /* by which its velocity is ahead of the middle of the last step, but for contacts */
    double mean[3];              /* m/s, in the middle of the last step */
} floating_body;

/* An unknown of the pressure beside a body, of a particle or of a wall particle of the body: what it pushes the body
   with, Σ g and Σ r × g over pairs. */
typedef struct floating_touch {
    int32_t particle, body;
    double push[6];
    float scale, kept;           /* in the preconditioner: 1 over its diagonal, or 0; its residual */
} floating_touch;

/* The last touch that was found with a body: of which particle, and its number among those of that. */
typedef struct floating_found {
    int64_t particle, at;
} floating_found;

typedef struct sph_floating {
    fleet fleet;
    const sph_model *m;
    bool feels;                  /* what the liquid does to them */
    int first;                   /* of the model's bodies */
    floating_body *of, *next;    /* at the present, and at the end of the step under way */
    bool appears;                /* some body comes in the step under way */
    bool eases;                  /* bodies are in the preconditioner */
    int turns;                   /* how often the solve under way has changed its mind about what holds */

    /* The system of the pressure; see sph/pressure/bodies.h. */
    floating_touch *touches;     /* in the order of the particles */
    int64_t touch_room, touch_begin[SPH_PARTS + 1];
    floating_found *found;       /* while they are looked for: of each of SPH_PARTS parts, by parts, then bodies */
    floating_touch *walls;       /* of wall particles, in their order */
    int64_t wall_room, wall_begin[SPH_PARTS + 1];
    struct floating_grip *eased; /* per body: what its touches scaled by their diagonals sum up to */
    struct floating_grip *grips; /* of each touch, where the liquid sticks; see sph/floating/grip.h */
    int64_t grip_room;
    struct floating_grip *held;  /* the sum of those of each body */
    struct floating_grip *gives; /* per body: its inverse masses, less what holds it takes away */
    rigid_vector *pushed;        /* per body: what unknowns push it with, */
    rigid_vector *answer;        /* and the shift that this gives it: spacings; and those over metres */
    rigid_vector *part_pushed;   /* of each of SPH_PARTS parts, by parts, then bodies */
    floating_knocks knocks[SPH_PARTS];
    rigid_vector *gained;        /* per body: by them, m/s and rad/s */
} sph_floating;

/* Memory of all of it. NULL where the scene has no bodies. */
fr_result sph_floating_create(const sph_model *m, sph_floating **out);
void sph_floating_destroy(sph_floating *f);
double sph_floating_bytes(const sph_model *m);

/* Puts s->bodies and s->solids where the bodies are now, with the motion they have. */
void sph_floating_lay(const sph_model *m, sph_state *s);

/* Shortens a step until no body goes further in it than particles may. */
void sph_floating_limit(const sph_model *m, const sph_state *s, double *dt);

/* Kick: the step begins, with its neighbours known. */
fr_result sph_floating_kick(const sph_model *m, sph_state *s);

/* Velocities of wall particles from those of the bodies, into `to`. */
void sph_floating_show(sph_state *s, const rigid_vector *velocity, particle_vector *to);

/* The loads of the liquid on the bodies, since the last call, act on them; their walls move as they do then. */
void sph_floating_take(const sph_model *m, sph_state *s, double dt);

/* Advance: the next states, and s->bodies and s->solids at the end of the step. */
fr_result sph_floating_advance(const sph_model *m, sph_state *s);

void sph_floating_accept(sph_floating *f);

/* Whether a body that comes in the step under way takes the place of a particle at its end; there must be one. */
fr_result sph_floating_covers(const sph_model *m, const sph_state *s, const double x[3], bool *covers);

/* x of A x = b in the place of b, by elimination. */
void floating_solve(double a[6][6], double b[6]);

/* Momentum of all, where that of the particles is: in the middle of the last step; kg m/s. */
void sph_floating_momentum(const sph_floating *f, double sum[3]);

#endif
