/* What inks and particles lie on in a flat view: the background, or the bed of a river in hill-shading. */
#ifndef FR_RENDER_FLAT_GROUND_H
#define FR_RENDER_FLAT_GROUND_H

#include "render/flat/flat.h"

typedef struct ground {
    const flat *flat;
    plane bed;               /* m; data NULL: none */
    double low, height;      /* m: of its lowest place; from there to the highest */
    rgb deep, shallow;
} ground;

fr_result ground_create(const flat *flat, ground *out);
void ground_destroy(ground *ground);

/* Its colour at a place in cells. */
rgb ground_at(const ground *ground, const double at[2]);

#endif
