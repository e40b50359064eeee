#include "io/nodes.h"

#include <string.h>

fr_field nodes_field(const fr_frame *frame, int axis)
{
    static const char *const names[3] = {"x", "y", "z"};
    fr_field field = {.name = names[axis], .unit = "m", .location = FR_AT_CELL, .data = frame->nodes.data + axis};
    ptrdiff_t stride = frame->nodes.stride;
    for (int a = 0; a < 3; a++) {
        field.size[a] = nodes_along(frame, a);
        field.stride[a] = stride;
        stride *= (ptrdiff_t)field.size[a];
    }
    return field;
}

bool nodes_velocity(const fr_frame *frame, const fr_field *parts[3])
{
    static const char *const names[3] = {"u", "v", "w"};
    for (int a = 0; a < frame->dims; a++) {
        parts[a] = fr_frame_field(frame, names[a]);
        if (!parts[a] || parts[a]->location != FR_AT_CELL || fr_field_refine(frame, parts[a]) != 1)
            return false;
    }
    return true;
}

bool nodes_is_velocity(const fr_frame *frame, const fr_field *field)
{
    const fr_field *parts[3] = {NULL};
    if (!nodes_velocity(frame, parts))
        return false;
    return field == parts[0] || field == parts[1] || field == parts[2];
}
