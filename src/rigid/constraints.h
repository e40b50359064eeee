/* Velocities of bodies under constraints: what impulses on a set of rows (rigid_row) do, in the metric of their masses.

   With K the inverse mass matrix of all bodies and J the rows, the velocities V + K Jᵀλ nearest to V that keep rows
   J V = bias have J K Jᵀ λ = bias − J V. Rows may depend on each other, as those of four contacts under a box do: those
   that depend on others before them have no part in it. */
#ifndef FR_RIGID_CONSTRAINTS_H
#define FR_RIGID_CONSTRAINTS_H

#include "linalg/envelope.h"
#include "rigid/rigid.h"

/* Velocity and spin, or force and torque. */
typedef struct rigid_vector {
    double of[6];
} rigid_vector;

typedef struct constraints {
    const rigid_inverse *inverse; /* per body; zero: it does not give way */
    const rigid_row *row;
    int count, room;
    bool *holds;          /* per row: it acts */
    double *impulse;      /* λ of those that act, N s; of the last call */
    double *work;         /* a number a row */
    int *place;           /* of each unknown of the factored matrix: which row */
    double *floor;        /* least pivots */
    envelope matrix;      /* J K Jᵀ of the rows that hold, factored */
    size_t value_room;
    bool factored;        /* it is that of the rows that hold now */
    rigid_vector *pushed; /* per body: working memory */
    int body_count;
} constraints;

fr_result constraints_create(int body_count, int room, constraints *out);
void constraints_destroy(constraints *r);

/* Takes these rows over; none holds yet. The lists must stay. Makes room where there is too little. */
fr_result constraints_take(constraints *r, const rigid_inverse *inverse, const rigid_row *row, int count);

/* What an impulse on each body changes: K applied. */
rigid_vector constraints_response(const rigid_inverse *inverse, const rigid_vector *impulse);

/* Chooses the rows that hold for these velocities: all that are not one-sided, and of the others those that would be
   broken and push (a linear complementarity problem, solved by sweeps). */
void constraints_choose(constraints *r, const rigid_vector *velocity);

/* A row holds from now on, or does not. */
void constraints_set(constraints *r, int row, bool holds);

/* The velocities that keep the rows that hold. */
void constraints_keep(constraints *r, rigid_vector *velocity);

/* Changes of velocities that change nothing about the rows that hold: the same with biases of 0. Linear. */
void constraints_project(constraints *r, rigid_vector *change);

/* After constraints_keep: lets go of one-sided rows that would pull, and takes up those that `velocity` breaks. Says
   whether there were any. */
bool constraints_turn(constraints *r, const rigid_vector *velocity);

#endif
