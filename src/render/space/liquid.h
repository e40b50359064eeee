/* What pictures show of a liquid made of particles. */
#ifndef FR_RENDER_SPACE_LIQUID_H
#define FR_RENDER_SPACE_LIQUID_H

#include <freshet/frame.h>

/* Whether the frame's particles are a liquid, and not just carried by one. */
static inline bool liquid_is(const fr_frame *frame)
{
    return frame->can & FR_FRAME_LIQUID;
}

/* Whether the liquid has that field: "liquid" (its surface), "particles" and "speed", "id", or an attribute. */
bool liquid_has(const fr_frame *frame, const char *field);

/* Whether its numbers are speeds: the surface and the particles are coloured by them, too. */
bool liquid_is_speed(const char *field);

/* One number per particle for a field that it has; freed by the caller. */
fr_result liquid_values(const fr_frame *frame, const char *field, float **values);

const char *liquid_unit(const fr_frame *frame, const char *field);

/* A failure that lists the fields that there are. */
fr_result liquid_unknown(const fr_frame *frame, const char *field);

#endif
