/* Grids of blends: smooth unions of many parts, such as animals. All parts of a blend have a say nearly everywhere, and
   each is asked for its distance; on a grid it takes no longer, however many they are. It has no edges but those of its
   parts. Equal blends share a grid. */
#ifndef FR_GEOM_BLEND_GRID_H
#define FR_GEOM_BLEND_GRID_H

#include "geom/mesh_grid.h"

/* Whether a node is a blend of so many parts, all of known distance, that a grid is worth it. */
bool blend_is_large(const node *n);

/* A box with all that is inside; that of the node leaves room for parts that all lie in one place. */
fr_result blend_box(const node *n, box *out);

/* The grid of a blend, made when it is asked for first; it stays as long as somebody has it. */
fr_result blend_take(const node *n, const mesh_detail *detail, const mesh_grid **out);
void blend_give_back(const mesh_grid *grid);

#endif
