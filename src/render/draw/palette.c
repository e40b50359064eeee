#include "render/draw/palette.h"

#include <freshet/fields.h>

#include <string.h>

#include "base/colour_names.h"

rgb palette_colour(const double srgb[3], double r, double g, double b)
{
    const double standard[3] = {r, g, b};
    return colour_light(srgb[0] != 0 || srgb[1] != 0 || srgb[2] != 0 ? srgb : standard);
}

palette palette_of_look(const fr_look_def *look)
{
    static const double night[3] = {0.055, 0.064, 0.082};
    palette palette = {.background = colour_light(look->background_set ? look->background : night)};
    palette.dark = colour_luminance(palette.background) < 0.2f;
    float ink = palette.dark ? 0.80f : 0.02f;
    palette.text = (rgb){ink, ink, ink};
    palette.faint = rgb_mix(palette.background, palette.text, 0.28f);
    palette.obstacle = palette_colour(look->obstacle_colour, 0.33, 0.36, 0.41);
    palette.outline = rgb_mix(palette.obstacle, (rgb){1, 1, 1}, 0.45f);
    return palette;
}

const fr_field *palette_next_ink(const fr_frame *frame, int *at)
{
    while (*at < frame->field_count) {
        const fr_field *field = &frame->fields[(*at)++];
        if (field->location == FR_AT_CELL && !fr_field_on_grid(field->name)->name)
            return field;
    }
    return NULL;
}

int palette_ink_count(const fr_frame *frame)
{
    int count = 0;
    for (int at = 0; palette_next_ink(frame, &at);)
        count++;
    return count;
}

rgb palette_ink_colour(const fr_look_def *look, const char *name, int n)
{
    static const double row[][3] = {{0.16, 0.52, 0.95}, {0.98, 0.42, 0.20}, {0.96, 0.77, 0.18}, {0.20, 0.75, 0.55},
                                    {0.85, 0.27, 0.55}, {0.55, 0.40, 0.90}, {0.55, 0.80, 0.25}, {0.35, 0.80, 0.90}};
    for (int i = 0; i < look->ink_count; i++)
        if (strcmp(look->inks[i].scalar, name) == 0)
            return colour_light(look->inks[i].colour);
    const double *named = colour_named(name);
    return colour_light(named ? named : row[n % (int)(sizeof row / sizeof *row)]);
}
