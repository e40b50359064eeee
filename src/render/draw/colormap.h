/* Colour maps: from numbers to colours. */
#ifndef FR_RENDER_DRAW_COLORMAP_H
#define FR_RENDER_DRAW_COLORMAP_H

#include <freshet/base.h>

enum { COLORMAP_SIZE = 1024 };

/* The default map for numbers of a liquid's particles. */
#define COLORMAP_OF_LIQUIDS "viridis"

typedef struct colormap {
    uint8_t colours[COLORMAP_SIZE][3];   /* sRGB */
} colormap;

/* One of base/colour_maps.h; an unknown name is an input error that lists the known ones. */
fr_result colormap_find(const char *name, colormap *map);

/* From one sRGB colour (0 … 1) to another. */
void colormap_between(const double from[3], const double to[3], colormap *map);

/* The colour for t, clamped to 0 … 1; magenta for NaN. */
const uint8_t *colormap_at(const colormap *map, float t);

#endif
