/* The fields of a liquid made of particles, for pictures. */
#ifndef FR_RENDER_SPACE_LIQUID_H
#define FR_RENDER_SPACE_LIQUID_H

#include <freshet/frame.h>

/* Whether the frame's particles are a liquid, and not tracers. */
static inline bool liquid_is(const fr_frame *frame)
{
    return frame->can & FR_FRAME_LIQUID;
}

/* Whether the liquid has that field: "liquid" (its surface), "particles" and "speed", "id", or an attribute. */
bool liquid_has(const fr_frame *frame, const char *field);

/* Whether the field's values are speeds; "liquid" and "particles" are coloured by speed as well. */
bool liquid_is_speed(const char *field);

/* One value per particle of a field that the liquid has; the caller frees them. */
fr_result liquid_values(const fr_frame *frame, const char *field, float **values);

const char *liquid_unit(const fr_frame *frame, const char *field);

/* Fails with a message that lists the existing fields. */
fr_result liquid_unknown(const fr_frame *frame, const char *field);

#endif
