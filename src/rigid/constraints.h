/* Velocities of bodies under constraints: what impulses on a set of rows (rigid_row) do, in the metric of their masses.

   With K the inverse mass matrix of all bodies and J the rows, the velocities V + K Jᵀλ nearest to V that keep rows
   J V = bias have J K Jᵀ λ = bias − J V. Rows may depend on each other, as those of four contacts under a box do: of
   all λ the smallest is found. */
#ifndef FR_RIGID_CONSTRAINTS_H
#define FR_RIGID_CONSTRAINTS_H

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
    double *work;         /* 4 numbers a row */
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

/* The velocities that keep the rows that hold. */
void constraints_keep(constraints *r, rigid_vector *velocity);

/* After constraints_keep: lets go of one-sided rows that would pull, and takes up those that `velocity` breaks. Says
   whether there were any. */
bool constraints_turn(constraints *r, const rigid_vector *velocity);

#endif
