/* Frames on a bent grid as files see them. */
#ifndef FR_IO_NODES_H
#define FR_IO_NODES_H

#include <freshet/frame.h>

/* How many nodes there are along an axis. */
static inline int64_t nodes_along(const fr_frame *frame, int axis)
{
    return axis < frame->dims ? (int64_t)frame->cells[axis] + 1 : 1;
}

/* Where the nodes lie along the world's axis 0, 1 or 2, as a field "x", "y" or "z" with one sample per node.
   frame->nodes must have room for all three. */
fr_field nodes_field(const fr_frame *frame, int axis);

/* The fields "u", "v" (3D: and "w") at the cells; false: they are not all there. */
bool nodes_velocity(const fr_frame *frame, const fr_field *parts[3]);
bool nodes_is_velocity(const fr_frame *frame, const fr_field *field);

#endif
