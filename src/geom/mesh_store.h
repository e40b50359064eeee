/* Mesh files as trees of triangles, shared: to read one takes a process and a sort, and many parts of a scene look at
   the same. One that somebody uses is never read again while its file stays as it is; one that nobody uses stays only
   between fr_meshes_keep and fr_meshes_release. */
#ifndef FR_GEOM_MESH_STORE_H
#define FR_GEOM_MESH_STORE_H

#include <freshet/shape.h>

#include "geom/bvh.h"

/* The mesh of a file, its longest side fitted to `size` (0: as it is). To be given back. */
fr_result mesh_store_take(const char *file, double size, const bvh **out);
void mesh_store_give_back(const bvh *tree);

/* What is known of a file that has been read already; false: nothing. */
bool mesh_store_report(const char *file, fr_mesh_report *report);

/* Forgets the meshes that nobody uses. */
void mesh_store_trim(void);

#endif
