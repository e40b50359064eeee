/* Colour maps from nine control points each, interpolated by monotone cubics, so that the lightness does not oscillate
   between them. */
#include "render/draw/colormap.h"

#include "base/colour_maps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double colormap_point(const colour_map *table, int channel, int point)
{
    return (double)(table->points[point] >> (16 - 8 * channel) & 255);
}

/* Slope at a point: the harmonic mean of the slopes on both sides where they agree in sign, else 0 (Fritsch and Butland
   1984). */
static double colormap_slope(const colour_map *table, int channel, int point)
{
    if (point == 0 || point == COLOUR_MAP_POINTS - 1) {
        int low = point == 0 ? 0 : COLOUR_MAP_POINTS - 2;
        return colormap_point(table, channel, low + 1) - colormap_point(table, channel, low);
    }
    double left = colormap_point(table, channel, point) - colormap_point(table, channel, point - 1);
    double right = colormap_point(table, channel, point + 1) - colormap_point(table, channel, point);
    return left * right > 0 ? 2 * left * right / (left + right) : 0;
}

static double colormap_channel(const colour_map *table, int channel, double t)
{
    double place = t * (COLOUR_MAP_POINTS - 1);
    int low = place >= COLOUR_MAP_POINTS - 1 ? COLOUR_MAP_POINTS - 2 : (int)place;
    double f = place - low, g = 1 - f;
    double a = colormap_point(table, channel, low), b = colormap_point(table, channel, low + 1);
    double da = colormap_slope(table, channel, low), db = colormap_slope(table, channel, low + 1);
    return a * g * g * (1 + 2 * f) + b * f * f * (1 + 2 * g) + da * f * g * g - db * g * f * f;
}

static void colormap_fill(const colour_map *table, colormap *map)
{
    for (int i = 0; i < COLORMAP_SIZE; i++)
        for (int c = 0; c < 3; c++) {
            double level = colormap_channel(table, c, (double)i / (COLORMAP_SIZE - 1));
            map->colours[i][c] = (uint8_t)(fmin(fmax(level, 0), 255) + 0.5);
        }
}

static fr_result colormap_unknown(const char *name)
{
    char known[256] = "";
    for (const colour_map *map = colour_maps; map->name; map++) {
        size_t used = strlen(known);
        const char *joint = map == colour_maps ? "" : map[1].name ? ", " : " and ";
        snprintf(known + used, sizeof known - used, "%s%s", joint, map->name);
    }
    return fr_fail_key("look.views.colormap", "there is no colormap '%s'; there are %s", name, known);
}

fr_result colormap_find(const char *name, colormap *map)
{
    const colour_map *table = colour_map_named(name);
    if (!table)
        return colormap_unknown(name);
    colormap_fill(table, map);
    return FR_OK;
}

void colormap_between(const double from[3], const double to[3], colormap *map)
{
    for (int i = 0; i < COLORMAP_SIZE; i++)
        for (int c = 0; c < 3; c++) {
            double level = from[c] + (to[c] - from[c]) * i / (COLORMAP_SIZE - 1);
            map->colours[i][c] = (uint8_t)(255 * fmin(fmax(level, 0), 1) + 0.5);
        }
}

const uint8_t *colormap_at(const colormap *map, float t)
{
    static const uint8_t not_a_number[3] = {255, 0, 255};
    if (t != t)
        return not_a_number;
    float place = t * (COLORMAP_SIZE - 1) + 0.5f;
    int index = place <= 0 ? 0 : place >= COLORMAP_SIZE - 1 ? COLORMAP_SIZE - 1 : (int)place;
    return map->colours[index];
}
