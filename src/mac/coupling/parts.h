/* Shared by the files of the coupling. */
#ifndef FR_MAC_COUPLING_PARTS_H
#define FR_MAC_COUPLING_PARTS_H

#include "grid/stress/solids.h"
#include "mac/coupling/carried.h"
#include "mac/coupling/coupling.h"
#include "mac/coupling/rigid_fluid.h"
#include "rigid/constraints.h"

/* Contacts and joints that can hold in the pressure at once. */
enum { COUPLING_ROWS = 2400 };

/* What of a body outlives a step. */
typedef struct coupling_body {
    rigid_state now;  /* at the present time */
    rigid_state laid; /* as it is laid on the grid, with the velocity that its walls have */
    rigid_load load;  /* of the present pressure */
    double temperature, due; /* K; J that have come and are not in it yet (warmth.c) */
} coupling_body;

/* Since t = 0, J: see coupling_ledger. */
typedef struct coupling_sums {
    double work, lost;
} coupling_sums;

/* What goes through the surface of a body in a step of conduction. */
typedef struct warmth_sum {
    double heat;        /* m³ K, from the fluid to it */
    double least, most; /* K, of the fluid around */
} warmth_sum;

/* Of bodies that are not solid (through.c). One of each per body. */
typedef struct through {
    shape **shape;
    body_cover *cover, **covers;
    carried_form *form;
    carried_body *carried;
    rigid_fluid_body *joined; /* those that touch liquid, */
    int joined_count;         /* so many */
    rigid_state *after;       /* at the end of the step under way */
    bool *wet;
    field surface; /* cells: φ of liquid and bodies together */
} through;

/* Of bodies that stick to a viscous fluid (drag.c). */
typedef struct drag {
    stress_solids solids;  /* as the viscosity sees them */
    rigid_vector *impulse; /* of the viscosity, in the step under way */
    rigid_vector *held;    /* working memory */
} drag;

struct coupling {
    const model *m;
    rigid *world;
    int count;
    coupling_body *of;            /* at the present time; while a step is under way, as laid in it */
    coupling_body *before, *next; /* of that step: at its begin and its end */
    rigid_state *states;          /* working memory: what the world takes and gives */
    rigid_load *given;            /* over the step under way: weight, forces and torques of the scene */
    rigid_load *loads;            /* the same and the fluid's */
    rigid_inverse *inverse;       /* as they are laid */
    rigid_vector *free;           /* velocities that are not held yet, */
    rigid_vector *velocity;       /* and those that are */
    rigid_vector *impulse;        /* of the fluid, in the step under way, */
    rigid_vector *last_impulse;   /* and in its last solve */
    int turns;                    /* how often the solve under way has changed its mind about what holds */
    constraints rows;
    warmth_sum *warmth; /* working memory of warmth.c */
    poisson_body *pushed; /* as the pressure sees them */
    poisson_row *held;    /* COUPLING_ROWS */
    bool stepping;        /* a step is under way */
    through through;
    drag drag;
    coupling_sums sums, next_sums;
    double deepest; /* m, by which solids overlapped in the last step */
};

/* Whether turning about its centre leaves a body where it is. */
bool coupling_is_ball(const fr_body_def *def);

/* The world of bodies from the step's begin to its end by c->loads, from c->states on, which are then those at its end,
   as are those of c->next. */
fr_result coupling_move(coupling *c, state *s);

/* An impulse of the pressure on a body, kg m/s and kg m²/s. */
void coupling_give(coupling *c, int b, const rigid_vector *impulse);

/* The walls move as the bodies do: by c->velocity. */
void coupling_show_walls(state *s);

fr_result drag_create(coupling *c);
void drag_destroy(coupling *c);
double drag_bytes(const model *m);

fr_result through_create(coupling *c);
void through_destroy(coupling *c);
/* Adds what the flow does to carried bodies to c->loads. */
fr_result through_carry(coupling *c, state *s);
/* Bodies that are fluid: the world moves on before the pressure. */
fr_result through_advance(coupling *c, state *s);

#endif
