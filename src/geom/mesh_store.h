/* A cache of mesh files as triangle hierarchies. Reading one takes a process and a sort, and many parts of a scene use
   the same file. A mesh in use is not read again while its file is unchanged. An unused one is kept only between
   fr_meshes_keep and fr_meshes_release. */
#ifndef FR_GEOM_MESH_STORE_H
#define FR_GEOM_MESH_STORE_H

#include <freshet/shape.h>

#include "geom/mesh_grid.h"

/* The mesh of a file, scaled so that its longest side is `size` (0: not scaled). Release with mesh_store_give_back. */
fr_result mesh_store_take(const char *file, double size, const bvh **out);
void mesh_store_give_back(const bvh *tree);

/* The grid of a mesh that is in use, made when it is asked for first. It stays as long as the mesh does. */
fr_result mesh_store_grid(const bvh *tree, const mesh_detail *detail, const mesh_grid **out);

/* The report on a file that has already been read; false when it has not. */
bool mesh_store_report(const char *file, fr_mesh_report *report);

/* Frees the meshes that are not in use. */
void mesh_store_trim(void);

#endif
