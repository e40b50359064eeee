/* Which numbers a view's colours span. */
#ifndef FR_RENDER_DRAW_RANGE_H
#define FR_RENDER_DRAW_RANGE_H

#include "render/flat/plane.h"

#include <freshet/fields.h>
#include <freshet/render.h>

/* How the field is shown where the view does not say. */
const fr_field_look *range_look(const fr_frame *frame, const char *field);

/* The view's own range when it has one, else `film` when given, else this frame's. */
fr_result range_of_view(const fr_frame *frame, const fr_view_def *view, const fr_range *film, fr_range *range);

/* Whether values outside obstacles lie below range->min (clipped[0]) and above range->max (clipped[1]) by more than the
   eye can tell on a colour bar. Ranges from the data are percentiles: a few values may. */
fr_result range_clips(const fr_frame *frame, const fr_view_def *view, const fr_range *range, bool clipped[2]);

#endif
