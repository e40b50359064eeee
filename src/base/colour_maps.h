/* Colour maps by name. Scenes, pictures and the registry of fields use them. */
#ifndef FR_BASE_COLOUR_MAPS_H
#define FR_BASE_COLOUR_MAPS_H

#include <stdbool.h>
#include <stdint.h>

enum { COLOUR_MAP_POINTS = 9 };

typedef struct colour_map {
    const char *name;
    bool offered;                         /* scenes may choose it */
    uint32_t points[COLOUR_MAP_POINTS];   /* 0xRRGGBB, evenly spaced from 0 to 1 */
} colour_map;

/* All colour maps; an entry without a name ends the list. */
extern const colour_map colour_maps[];

/* The map of that name, or NULL. */
const colour_map *colour_map_named(const char *name);

#endif
