/* Renders one view of a frame with the renderer for its kind of picture. */
#include "render/flat/flat.h"
#include "render/space/liquid.h"
#include "render/flat/unbend.h"
#include "render/space/volume.h"
#include "render/space/water.h"

#include <math.h>
#include <string.h>

static fr_result view_check_frame(const fr_frame *frame)
{
    for (int axis = 0; axis < frame->dims; axis++)
        if (frame->cells[axis] < 1 || !(frame->spacing[axis] > 0) || !isfinite(frame->spacing[axis]))
            return fr_fail(FR_ERROR_INPUT, "the frame has %d cells of %g m along axis %d: there is nothing to draw",
                           frame->cells[axis], frame->spacing[axis], axis);
    return FR_OK;
}

static fr_result view_bent(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view,
                           const fr_range *range, fr_image *image)
{
    unbent plain;
    FR_TRY(unbend(frame, view, &plain));
    fr_result result = fr_render_view(&plain.frame, def, view, range, image);
    unbend_free(&plain);
    return result;
}

fr_result fr_render_view(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view, const fr_range *range,
                         fr_image *image)
{
    *image = (fr_image){0, 0, NULL};
    FR_TRY(view_check_frame(frame));
    if (!view->field)
        return fr_fail_key("look.views.field", "a view needs a field to draw");
    if (def->look.width < 0 || def->look.height < 0)
        return fr_fail_key("look.width", "a picture's sides are given in pixels, at least 1");
    if (frame->dims == 3 && frame->can & FR_FRAME_BENT)
        return view_bent(frame, def, view, range, image);
    if (view->surface && (frame->dims != 3 || !liquid_is(frame)))
        return fr_fail_key("look.views.surface", "only a liquid in 3D has a surface to show values on");
    if (frame->dims == 3 && (view->surface || liquid_has(frame, view->field)))
        return water_render(frame, def, view, range, image);
    if (strcmp(view->field, "volume") != 0)
        return flat_render(frame, def, view, range, image);
    if (frame->dims != 3)
        return fr_fail_key("look.views.field", "the view 'volume' needs a 3D scene; draw 'density' or 'dyes' in 2D");
    return volume_render(frame, def, view, image);
}
