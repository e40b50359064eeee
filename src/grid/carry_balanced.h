/* What the two files on balanced transport share (carry_balanced.c, carry_means.c).

   `ways` of the carry has each point's way to where it comes from, in cells, by rows without ghosts; `to` has what the
   point reads there, until it is carried: NAN for those that read nothing of the liquid. */
#ifndef FR_GRID_CARRY_BALANCED_H
#define FR_GRID_CARRY_BALANCED_H

#include "base/wide.h"
#include "grid/carry_parts.h"

/* Where the ways of a row begin. */
static inline size_t balanced_ways(const field *f, int j, int k)
{
    return ((size_t)k * (size_t)f->size[1] + (size_t)j) * (size_t)f->size[0];
}

/* The number along an axis that stands for `to`: itself, or the one it wraps to; negative: beyond a side. Of two
   samples that are one only the lower counts. */
static inline int balanced_wrap(const carry *c, int axis, int to)
{
    const int n = c->d->n[axis];
    if (c->d->periodic[axis])
        return (to % n + n) % n;
    return to < c->loads[0].from->size[axis] ? to : -1;
}

/* The slopes of φ at eight samples in the liquid, per cell, by their neighbours there. */
static inline wide balanced_slope(wide value, wide below, wide_mask has_below, wide above, wide_mask has_above)
{
    const wide one = wide_choose(has_below, value - below, wide_keep(has_above, above - value));
    return wide_choose(has_below & has_above, 0.5f * (above - below), one);
}

/* Where `partial` has, for each row, the longest way back along an axis of points that read, as a negative number the
   shortest, and behind them the same the other way. */
static inline ptrdiff_t balanced_range(int axis, int rows)
{
    return (ptrdiff_t)2 * axis * rows;
}

/* Finds the ways and means of rows of points, and the range of the ways. */
void balanced_mean_rows(void *c, int begin, int end);

/* Sets the displacements of a piece of a row to its ways. */
void balanced_recall(const carry *c, sample_points *p);

#endif
