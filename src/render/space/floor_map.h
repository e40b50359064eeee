/* Numbers on a lattice of points of the studio's floor, found once for a picture; its pixels interpolate between them.
 */
#ifndef FR_RENDER_SPACE_FLOOR_MAP_H
#define FR_RENDER_SPACE_FLOOR_MAP_H

#include "base/vec.h"

#include <freshet/base.h>

typedef struct floor_map {
    float *value;           /* NULL: 1 everywhere */
    int n[2];               /* points along x and z */
    double low[2], step[2]; /* m */
} floor_map;

/* From `low` to `high`, with n points along x and z. */
fr_result floor_map_create(const double low[2], const double high[2], const int n[2], floor_map *out);
void floor_map_destroy(floor_map *map);

/* The place of a point of the lattice; y is left at 0. */
vec3 floor_map_point(const floor_map *map, int i, int j);

/* The number at a point; 1 beyond the lattice. */
float floor_map_at(const floor_map *map, vec3 p);

#endif
