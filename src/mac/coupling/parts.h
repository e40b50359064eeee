/* Shared by the files of the coupling. */
#ifndef FR_MAC_COUPLING_PARTS_H
#define FR_MAC_COUPLING_PARTS_H

#include "grid/stress/solids.h"
#include "mac/coupling/carried.h"
#include "mac/coupling/coupling.h"
#include "mac/coupling/rigid_fluid.h"
#include "rigid/fleet.h"

/* Contacts and joints that can hold in the pressure at once. */
enum { COUPLING_ROWS = 2400 };

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
    fleet fleet;
    rigid_vector *last_impulse; /* of the fluid, in the last solve of the step under way */
    int turns;                    /* how often the solve under way has changed its mind about what holds */
    warmth_sum *warmth; /* working memory of warmth.c */
    poisson_body *pushed; /* as the pressure sees them */
    poisson_row *held;    /* COUPLING_ROWS */
    through through;
    drag drag;
};

/* The world of bodies from the step's begin to its end by the loads of the fleet, which then has its next states. */
fr_result coupling_move(coupling *c, state *s);

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
