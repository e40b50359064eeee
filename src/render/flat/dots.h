/* Particles as dots. */
#ifndef FR_RENDER_FLAT_DOTS_H
#define FR_RENDER_FLAT_DOTS_H

#include "render/space/volume.h"

static const double DOTS_SIZE = 2.4;   /* pixels across, unless the look says */

/* Blends the frame's particles into a picture of linear light that shows the volume: through the smoke before them, lit
   and shadowed, hidden behind obstacles. */
fr_result dots_in_volume(const volume *volume, const fr_frame *frame, const fr_look_def *look, rgb *colours);

#endif
