/* Resamples the fields of a curvilinear ("bent") 3D grid on uniform voxels of its bounding box, for pictures that know
   only uniform grids. */
#ifndef FR_RENDER_FLAT_UNBEND_H
#define FR_RENDER_FLAT_UNBEND_H

#include <freshet/defs.h>
#include <freshet/frame.h>

typedef struct unbent {
    fr_frame frame;
    fr_field *fields;
} unbent;

/* Resamples what the view needs. In volumes the grid's sides are shown as a haze, a field "density", unless the frame
   has one; in slices everything outside the grid counts as an obstacle. */
fr_result unbend(const fr_frame *frame, const fr_view_def *view, unbent *out);
void unbend_free(unbent *out);

#endif
