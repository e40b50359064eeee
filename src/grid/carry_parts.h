/* What the ways to carry fields share. Private to grid/carry*.c. */
#ifndef FR_GRID_CARRY_PARTS_H
#define FR_GRID_CARRY_PARTS_H

#include "grid/carry.h"
#include "grid/sample.h"

/* Works on a piece of the row of this number. */
typedef void (*carry_work)(const carry *c, sample_points *p, int row);

/* Traces the row's points back (sign −1) or forward (+1) with the midpoint rule. */
void carry_trace(const carry *c, sample_points *p, float sign);

/* Calls `work` on the rows [begin, end) of the carried field, in pieces of at most SAMPLE_ROW points, and `far` on
   pieces that are far. */
void carry_pieces(const carry *c, int begin, int end, carry_work work, carry_work far);

/* For pieces that are far: nothing, or 0. */
void carry_leave_piece(const carry *c, sample_points *p, int row);
void carry_clear_piece(const carry *c, sample_points *p, int row);

void carry_copy_row(const float *from, const field *to, const sample_points *p);

/* One load, corrected such that no energy is gained (carry_balanced.c). */
void carry_run_balanced(carry *c);

#endif
