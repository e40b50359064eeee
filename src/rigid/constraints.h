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
    double *strain;       /* N s: what a row that does not hold gives, because it can give no more; else 0 */
    double seconds;       /* over which they act */
    double *impulse;      /* λ of those that act, N s; of the last call */
    double *give;         /* what an impulse of 1 on a row changes along it */
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

/* Takes these rows over, for so long a time; none holds yet. The lists must stay. Makes room where there is too
   little. */
typedef struct constraints_rows {
    const rigid_row *row;
    int count;
    double seconds;
} constraints_rows;
fr_result constraints_take(constraints *r, const rigid_inverse *inverse, const constraints_rows *rows);

/* What an impulse on each body changes: K applied. */
rigid_vector constraints_response(const rigid_inverse *inverse, const rigid_vector *impulse);

/* Chooses the rows that hold for these velocities: all that are not one-sided, and of the others those that would be
   broken and push (a linear complementarity problem, solved by sweeps). Rows that can give no more than so much give
   that at first: where the fluid does not give way, as under a piston, only so there is an answer. */
void constraints_choose(constraints *r, const rigid_vector *velocity);

/* A row holds from now on, or does not. */
void constraints_set(constraints *r, int row, bool holds);

/* Changes of velocities that change nothing about the rows that hold. Linear. */
void constraints_project(constraints *r, rigid_vector *change);

/* The velocities that keep the rows that hold, and are strained by those that cannot. */
void constraints_keep(constraints *r, rigid_vector *velocity);

/* After constraints_keep: lets go of one-sided rows that would pull and of others that would give more than they can,
   and takes up those that `velocity` breaks. Says whether there were any. */
bool constraints_turn(constraints *r, const rigid_vector *velocity);

#endif
