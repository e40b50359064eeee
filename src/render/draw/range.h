/* The range of values that a view's colours span. */
#ifndef FR_RENDER_DRAW_RANGE_H
#define FR_RENDER_DRAW_RANGE_H

#include "render/flat/plane.h"

#include <freshet/fields.h>
#include <freshet/render.h>

/* The field's default colour map and span. */
const fr_field_look *range_look(const fr_frame *frame, const char *field);

/* The view's own range if it has one, else `film` if given, else that of this frame. */
fr_result range_of_view(const fr_frame *frame, const fr_view_def *view, const fr_range *film, fr_range *range);

/* Whether values outside obstacles lie visibly below range->min (clipped[0]) or above range->max (clipped[1]).
   Automatic ranges are percentiles, so a few values may. */
fr_result range_clips(const fr_frame *frame, const fr_view_def *view, const fr_range *range, bool clipped[2]);

#endif
