/* The ground below inks and particles in a flat view: the background, or the bed of a river with hill-shading. */
#ifndef FR_RENDER_FLAT_GROUND_H
#define FR_RENDER_FLAT_GROUND_H

#include "render/flat/flat.h"

typedef struct ground {
    const flat *flat;
    plane bed;               /* m; data NULL: none */
    double low, height;      /* m: the bed's lowest level; the difference to the highest */
    rgb deep, shallow;
} ground;

fr_result ground_create(const flat *flat, ground *out);
void ground_destroy(ground *ground);

/* The ground's colour at a position in cells. */
rgb ground_at(const ground *ground, const double at[2]);

#endif
