/* Particles as dots. */
#ifndef FR_RENDER_FLAT_DOTS_H
#define FR_RENDER_FLAT_DOTS_H

#include "render/space/volume.h"

static const double DOTS_SIZE = 2.4;   /* default diameter, pixels */

/* Blends the frame's particles into a picture of the volume, in linear light. They are lit and shadowed, veiled by the
   smoke in front of them and hidden by obstacles. */
fr_result dots_in_volume(const volume *volume, const fr_frame *frame, const fr_look_def *look, rgb *colours);

#endif
