/* Which meshes of a shape become grids, and how fine. */
#ifndef FR_GEOM_BAKE_H
#define FR_GEOM_BAKE_H

#include "geom/mesh_grid.h"

/* Gives the meshes below a node their grids, for distances on a grid of such cells. */
fr_result bake_node(node *n, double cell);

typedef struct bake_item {
    const bvh *triangles;
    mesh_detail detail;
} bake_item;

/* The grids that meshes need, each once. */
typedef struct bake_list {
    bake_item *items;
    int count, space;
} bake_list;

fr_result bake_list_add(bake_list *list, node *n, double cell);
double bake_list_bytes(const bake_list *list);
void bake_list_free(bake_list *list);

#endif
