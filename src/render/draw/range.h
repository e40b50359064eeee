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

/* Whether the field's colours go by logarithms: it ranges over decades, and the range is above zero. */
bool range_is_in_decades(const fr_frame *frame, const char *field, const fr_range *range);

/* Where a value lies between the ends of the range, 0 … 1 unless it lies beyond. */
float range_share(const fr_range *range, bool decades, double value);

/* Whether values outside obstacles lie visibly below range->min (clipped[0]) or above range->max (clipped[1]).
   Automatic ranges are percentiles, so a few values may. */
fr_result range_clips(const fr_frame *frame, const fr_view_def *view, const fr_range *range, bool clipped[2]);

#endif
