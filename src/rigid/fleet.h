/* The bodies of a scene over the steps of a fluid that they move in: what stays the same whatever the fluid is made of.

   A step begins with the bodies as they are now; given forces, then the fluid change what they would do; contacts and
   joints that hold in the pressure are rows (rigid/constraints.h); and the world of bodies takes them to the end of the
   step by the loads that came together. The new states are kept apart until the step is accepted. */
#ifndef FR_RIGID_FLEET_H
#define FR_RIGID_FLEET_H

#include <freshet/frame.h>

#include "rigid/constraints.h"

/* What of a body outlives a step. Plain numbers, as a snapshot holds them. */
typedef struct fleet_body {
    rigid_state now;             /* at the present time */
    rigid_state laid;            /* as it is laid in the fluid, with the velocity that its walls have */
    rigid_load load;             /* of the present pressure */
    double temperature, due;     /* K; J that have come and are not in it yet */
} fleet_body;

/* Since t = 0, J: see fleet_ledger. */
typedef struct fleet_sums {
    double work, lost;
} fleet_sums;

typedef struct fleet {
    rigid *world;
    const fr_body_def *def;
    int count;
    double gravity[3];           /* m/s² */
    fleet_body *of;              /* at the present time; while a step is under way, as laid in it */
    fleet_body *before, *next;   /* of that step: at its begin and its end */
    rigid_state *states;         /* working memory: what the world takes and gives */
    rigid_load *given;           /* over the step under way: weight, forces and torques of the scene */
    rigid_load *loads;           /* the same and the fluid's */
    rigid_inverse *inverse;      /* as they are laid */
    rigid_vector *free;          /* velocities that are not held yet, */
    rigid_vector *velocity;      /* and those that are */
    rigid_vector *impulse;       /* of the fluid, in the step under way */
    constraints rows;
    bool stepping;               /* a step is under way */
    fleet_sums sums, next_sums;
    double deepest;              /* m, by which solids overlapped in the last step */
} fleet;

/* They stand where they start. The setup's definitions must outlive them. */
fr_result fleet_create(const rigid_setup *setup, fleet *out);
void fleet_destroy(fleet *f);
/* About what that takes, with the shapes of meshes baked. */
double fleet_bytes(const rigid_setup *setup);

/* A body's place and motion in a state, of which all six numbers count. */
rigid_vector fleet_velocity(const rigid_state *of);

/* Whether turning about its centre leaves a body where it is. */
bool fleet_is_ball(const fr_body_def *def);

/* Shortens a step until no body goes further in it than `most` metres, its spin included. */
void fleet_limit(const fleet *f, double most, double *dt);

/* A step begins: nothing has been given to them. */
void fleet_begin(fleet *f);

/* The world stands where they are laid, or where they are now. */
void fleet_stand(fleet *f, bool laid);

/* What a load does to a velocity over dt. */
void fleet_add(const fleet *f, int body, const rigid_load *load, double dt, rigid_vector *to);

/* The contacts closer than `reach` metres and the joints at time t, for dt, as rows of which none holds yet; the world
   must stand where bodies are laid. */
fr_result fleet_find_rows(fleet *f, double reach, double t, double dt);

/* An impulse of the fluid, kg m/s and kg m²/s. */
void fleet_give(fleet *f, int body, const rigid_vector *impulse);

/* By f->loads from `from` to `to`, beginning from f->states, which are then those at the end, as are those of
   f->next. */
fr_result fleet_move(fleet *f, double from, double to);

void fleet_accept(fleet *f);
void fleet_undo(fleet *f);

/* For frames and ledgers. */
void fleet_show(const fleet *f, fr_body_state *states);
typedef struct fleet_ledger {
    double energy;      /* J, kinetic and potential */
    double momentum[3]; /* kg m/s */
    double work;        /* J, that motors and given forces have done since t = 0 */
    double lost;        /* J, to friction and collisions since then */
    double deepest;     /* m, by which two solids overlapped in the last step */
} fleet_ledger;
fleet_ledger fleet_account(const fleet *f);

#endif
