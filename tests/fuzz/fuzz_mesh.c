/* Mesh files as a whole, each in a process of its own as always: slow, and mostly the importer's business. The first
   byte says of what format the file is. */
#include "meshes.h"

static const char *const names[] = {"m.obj", "m.stl", "m.ply", "m.gltf", "m.glb", "m.off", "m.dae", "m.3mf"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mesh m;
    if (size < 1)
        return 0;
    const char *name = names[data[0] % (sizeof names / sizeof *names)];
    if (mesh_load(fuzz_store(name, data + 1, size - 1), &m) == FR_OK)
        fuzz_use_mesh(&m);
    else
        FUZZ_REQUIRE(fr_error_message()[0]);
    mesh_free(&m);
    return 0;
}
