/* What pictures show of a liquid: its surface, and the fields of its particles. */
#ifndef FR_RENDER_SPACE_LIQUID_H
#define FR_RENDER_SPACE_LIQUID_H

#include <freshet/frame.h>

/* Whether the frame is of a liquid: of particles, or with a level set. */
static inline bool liquid_is(const fr_frame *frame)
{
    return frame->can & (FR_FRAME_LIQUID | FR_FRAME_SURFACE);
}

/* Whether the liquid has a level set; then its fields are those of the grid. */
static inline bool liquid_has_grid(const fr_frame *frame)
{
    return frame->can & FR_FRAME_SURFACE;
}

/* Whether the picture shows the liquid's surface: "liquid", in 3D also "clay". */
bool liquid_is_surface(const fr_frame *frame, const char *field);

/* Whether the picture is of the liquid, not of a grid: its surface, or its particles as "particles" or "id"; without a
   level set also as "speed" or an attribute. */
bool liquid_has(const fr_frame *frame, const char *field);

/* Whether the field is known in the liquid alone: what it has in the air means nothing. */
bool liquid_owns(const fr_frame *frame, const char *field);

/* m: the size of its particles, or of its cells. */
double liquid_spacing(const fr_frame *frame);

/* Whether the field's values are speeds; surfaces and "particles" are coloured by speed as well. */
bool liquid_is_speed(const char *field);

/* One value per particle of a field that the liquid has; the caller frees them. */
fr_result liquid_values(const fr_frame *frame, const char *field, float **values);

const char *liquid_unit(const fr_frame *frame, const char *field);

/* Fails with a message that lists the existing fields. */
fr_result liquid_unknown(const fr_frame *frame, const char *field);

#endif
