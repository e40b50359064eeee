#include "render/space/liquid.h"

#include <freshet/fields.h>

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"

static const fr_attribute *liquid_attribute(const fr_frame *frame, const char *field)
{
    for (int i = 0; i < frame->attribute_count; i++)
        if (strcmp(frame->attributes[i].name, field) == 0)
            return &frame->attributes[i];
    return NULL;
}

bool liquid_is_speed(const char *field)
{
    static const char *const speeds[] = {"liquid", "clay", "particles", "speed"};
    bool found = false;
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        found = found || strcmp(field, speeds[i]) == 0;
    return found;
}

bool liquid_is_surface(const fr_frame *frame, const char *field)
{
    return liquid_is(frame) && (strcmp(field, "liquid") == 0 || (frame->dims == 3 && strcmp(field, "clay") == 0));
}

bool liquid_owns(const fr_frame *frame, const char *field)
{
    static const char *const own[] = {"temperature", "viscosity", "liquid_fraction"},
                             *const parts[] = {"colour_", "texture_"};
    if (!liquid_has_grid(frame) || !fr_frame_field(frame, field))
        return false;
    bool found = !fr_field_on_grid(field)->name; /* an ink */
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        found = found || strcmp(field, own[i]) == 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        found = found || strncmp(field, parts[i], strlen(parts[i])) == 0;
    return found;
}

double liquid_spacing(const fr_frame *frame)
{
    const double *h = frame->spacing;
    if (!liquid_has_grid(frame))
        return frame->particle_spacing;
    return frame->dims == 3 ? fmin(h[0], fmin(h[1], h[2])) : fmin(h[0], h[1]);
}

static bool liquid_is_id(const fr_frame *frame, const char *field)
{
    return frame->particle_ids && strcmp(field, "id") == 0;
}

bool liquid_has(const fr_frame *frame, const char *field)
{
    if (liquid_is_surface(frame, field))
        return true;
    if (!(frame->can & FR_FRAME_LIQUID) || strcmp(field, "clay") == 0)
        return false;
    if (strcmp(field, "particles") == 0 || liquid_is_id(frame, field))
        return true;
    return !liquid_has_grid(frame) && (liquid_is_speed(field) || liquid_attribute(frame, field));
}

fr_result liquid_values(const fr_frame *frame, const char *field, float **values)
{
    const fr_attribute *attribute = liquid_attribute(frame, field);
    float *out = *values = MEMORY_NEW(float, frame->particle_count);
    if (!out)
        return FR_ERROR_MEMORY;
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *v = frame->particle_velocity.data + n * frame->particle_velocity.stride;
        if (attribute)
            out[n] = attribute->data[n];
        else if (liquid_is_id(frame, field))
            out[n] = (float)frame->particle_ids[n];
        else
            out[n] = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    return FR_OK;
}

const char *liquid_unit(const fr_frame *frame, const char *field)
{
    const fr_attribute *attribute = liquid_attribute(frame, field);
    const char *unit = attribute ? attribute->unit : fr_field_describe(field)->particle_unit;
    return unit ? unit : "";
}

fr_result liquid_unknown(const fr_frame *frame, const char *field)
{
    char known[512] = "";
    const fr_field_info *made;
    int count = fr_fields(&made);
    for (int i = 0; i < count; i++)
        if (made[i].derived & FR_FROM_LIQUIDS && liquid_has(frame, made[i].name))
            words_add(known, sizeof known, made[i].name);
    for (int i = 0; i < frame->attribute_count; i++)
        words_add(known, sizeof known, frame->attributes[i].name);
    return fr_fail_key("look.views.field", "there is no field '%s' to draw of this liquid; there are %s", field, known);
}
