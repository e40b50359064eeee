/* Which numbers a view's colours span. */
#ifndef FR_RENDER_RANGE_H
#define FR_RENDER_RANGE_H

#include "render/plane.h"

#include <freshet/render.h>

/* Whether the field has two signs that deserve the same colours: vorticity (2D), pressure, divergence, velocities. */
bool range_is_signed(const fr_frame *frame, const char *field);

/* The view's own range when it has one, else `film` when given, else this frame's. */
fr_result range_of_view(const fr_frame *frame, const fr_view_def *view, const fr_range *film, fr_range *range);

#endif
