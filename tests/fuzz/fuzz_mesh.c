/* Meshes: mostly what the importing process may send, sometimes files as a whole, which takes a process each. The first byte says
   which, and of what format the file is. */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include "base/clock.h"
#include "fuzz.h"
#include "geom/bvh.h"
#include "geom/mesh_parts.h"

enum { FIRST_FORMAT = 248, PIPE_ROOM = 60000 };
static const char *const names[] = {"m.obj", "m.stl", "m.ply", "m.gltf", "m.glb", "m.off", "m.dae", "m.3mf"};

/* What is done with every mesh. */
static void fuzz_use(mesh *m)
{
    mesh_edges edges;
    bvh *tree = NULL;
    FUZZ_REQUIRE(mesh_weld(m) == FR_OK);
    FUZZ_REQUIRE(mesh_count_edges(m, &edges) == FR_OK);
    mesh_fit(m, 1);
    if (bvh_create(m, edges.closed, &tree) == FR_OK)
        bvh_destroy(tree);
}

static void fuzz_reply(const uint8_t *data, size_t size)
{
    int ends[2];
    mesh m;
    bool answered;
    FUZZ_REQUIRE(pipe(ends) == 0);
    FUZZ_REQUIRE(write(ends[1], data, size) == (ssize_t)size);
    close(ends[1]);
    if (mesh_reply_receive(ends[0], clock_now() + 60, &m, &answered) == FR_OK)
        fuzz_use(&m);
    mesh_free(&m);
    close(ends[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mesh m;
    if (size < 1 || size > PIPE_ROOM)
        return 0;
    if (data[0] < FIRST_FORMAT) {
        fuzz_reply(data + 1, size - 1);
        return 0;
    }
    if (mesh_load(fuzz_store(names[data[0] - FIRST_FORMAT], data + 1, size - 1), &m) == FR_OK)
        fuzz_use(&m);
    else
        FUZZ_REQUIRE(fr_error_message()[0]);
    mesh_free(&m);
    return 0;
}
