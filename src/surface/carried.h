/* What a liquid carries with it, at the vertices of its surface. */
#ifndef FR_SURFACE_CARRIED_H
#define FR_SURFACE_CARRIED_H

#include <freshet/surface.h>

/* Colours and texture coordinates, as far as the frame has them. */
fr_result carried_add(const fr_frame *frame, fr_mesh *mesh);

#endif
