/* Frames on a curvilinear grid, for the writers of files. */
#ifndef FR_IO_NODES_H
#define FR_IO_NODES_H

#include <freshet/frame.h>

/* The number of nodes along an axis. */
static inline int64_t nodes_along(const fr_frame *frame, int axis)
{
    return axis < frame->dims ? (int64_t)frame->cells[axis] + 1 : 1;
}

/* World coordinate 0, 1 or 2 of the nodes, as a field "x", "y" or "z" with one sample per node. frame->nodes has all
   three interleaved. */
fr_field nodes_field(const fr_frame *frame, int axis);

/* The fields "u", "v" (3D: and "w") at the cells; false when one is missing. */
bool nodes_velocity(const fr_frame *frame, const fr_field *parts[3]);
bool nodes_is_velocity(const fr_frame *frame, const fr_field *field);

#endif
