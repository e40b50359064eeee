/* A bent grid in 3D as a plain one: its fields in voxels of the box around it, for pictures that know of plain grids
 * only. */
#ifndef FR_RENDER_FLAT_UNBEND_H
#define FR_RENDER_FLAT_UNBEND_H

#include <freshet/defs.h>
#include <freshet/frame.h>

typedef struct unbent {
    fr_frame frame;
    fr_field *fields;
} unbent;

/* What the view needs. Volumes show the grid's sides as a haze, "density", unless there is one; in slices what lies
   outside counts as an obstacle. */
fr_result unbend(const fr_frame *frame, const fr_view_def *view, unbent *out);
void unbend_free(unbent *out);

#endif
