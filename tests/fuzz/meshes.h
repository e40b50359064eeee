/* What is done with every mesh that was read. */
#ifndef FUZZ_MESHES_H
#define FUZZ_MESHES_H

#include "fuzz.h"
#include "geom/bvh.h"
#include "geom/mesh_parts.h"

static inline void fuzz_use_mesh(mesh *m)
{
    mesh_edges edges;
    bvh *tree = NULL;
    FUZZ_REQUIRE(mesh_weld(m) == FR_OK);
    FUZZ_REQUIRE(mesh_count_edges(m, &edges) == FR_OK);
    mesh_fit(m, 1);
    if (bvh_create(m, edges.closed, &tree) == FR_OK)
        bvh_destroy(tree);
}

#endif
