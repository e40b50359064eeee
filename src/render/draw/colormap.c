/* Colour maps from nine control points each, joined by monotone cubics, so that lightness rises evenly and never
   turns back between them. The control points follow the published perceptual maps of the same names. */
#include "render/draw/colormap.h"

#include <math.h>
#include <string.h>

enum { POINTS = 9 };

typedef struct colormap_table {
    const char *name;
    uint32_t points[POINTS];   /* 0xRRGGBB */
} colormap_table;

static const colormap_table tables[] = {
    {"viridis", {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725}},
    {"magma", {0x000004, 0x1d1147, 0x51127c, 0x832681, 0xb73779, 0xe75263, 0xfc8961, 0xfec488, 0xfcfdbf}},
    {"inferno", {0x000004, 0x210c4a, 0x57106e, 0x8a226a, 0xbc3754, 0xe45a31, 0xf98e09, 0xf9cb35, 0xfcffa4}},
    {"coolwarm", {0x3b4cc0, 0x6282ea, 0x8db0fe, 0xb8d0f9, 0xdddddd, 0xf5c4ad, 0xf4987a, 0xde604d, 0xb40426}},
    {"gray", {0x000000, 0x202020, 0x404040, 0x606060, 0x808080, 0x9f9f9f, 0xbfbfbf, 0xdfdfdf, 0xffffff}},
    {"smoke", {0x0d1016, 0x232933, 0x3c4450, 0x586270, 0x768190, 0x96a1ae, 0xb8c1ca, 0xdae0e6, 0xfbfcfd}},
};

static double colormap_point(const colormap_table *table, int channel, int point)
{
    return (double)(table->points[point] >> (16 - 8 * channel) & 255);
}

/* Slope at a point: the harmonic mean of its neighbours' where they agree in sign, else flat (Fritsch and Butland 1984). */
static double colormap_slope(const colormap_table *table, int channel, int point)
{
    if (point == 0 || point == POINTS - 1) {
        int low = point == 0 ? 0 : POINTS - 2;
        return colormap_point(table, channel, low + 1) - colormap_point(table, channel, low);
    }
    double left = colormap_point(table, channel, point) - colormap_point(table, channel, point - 1);
    double right = colormap_point(table, channel, point + 1) - colormap_point(table, channel, point);
    return left * right > 0 ? 2 * left * right / (left + right) : 0;
}

static double colormap_channel(const colormap_table *table, int channel, double t)
{
    double place = t * (POINTS - 1);
    int low = place >= POINTS - 1 ? POINTS - 2 : (int)place;
    double f = place - low, g = 1 - f;
    double a = colormap_point(table, channel, low), b = colormap_point(table, channel, low + 1);
    double da = colormap_slope(table, channel, low), db = colormap_slope(table, channel, low + 1);
    return a * g * g * (1 + 2 * f) + b * f * f * (1 + 2 * g) + da * f * g * g - db * g * f * f;
}

static void colormap_fill(const colormap_table *table, colormap *map)
{
    for (int i = 0; i < COLORMAP_SIZE; i++)
        for (int c = 0; c < 3; c++) {
            double level = colormap_channel(table, c, (double)i / (COLORMAP_SIZE - 1));
            map->colours[i][c] = (uint8_t)(fmin(fmax(level, 0), 255) + 0.5);
        }
}

fr_result colormap_find(const char *name, colormap *map)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i].name, name) == 0) {
            colormap_fill(&tables[i], map);
            return FR_OK;
        }
    return fr_fail_key("look.views.colormap",
                       "there is no colormap '%s'; there are viridis, magma, inferno, coolwarm, gray and smoke", name);
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
