/* Which parts of a shape become grids, and how fine: meshes and large blends. */
#ifndef FR_GEOM_BAKE_H
#define FR_GEOM_BAKE_H

#include "geom/mesh_grid.h"

/* Gives them their grids below a node, for distances on a grid of such cells. */
fr_result bake_node(node *n, double cell);

/* Gives back what is to be given back of these. */
void bake_end(node *n);

typedef struct bake_item {
    const bvh *triangles; /* NULL: a blend */
    uint64_t digest;      /* of a blend */
    mesh_detail detail;
    box bounds;
} bake_item;

/* The grids that shapes need, each once. */
typedef struct bake_list {
    bake_item *items;
    int count, space;
} bake_list;

fr_result bake_list_add(bake_list *list, node *n, double cell);
double bake_list_bytes(const bake_list *list);
void bake_list_free(bake_list *list);

#endif
