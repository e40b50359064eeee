/* What the process that reads a mesh may send: a mesh that can be used, or a failure. */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include "base/clock.h"
#include "meshes.h"

enum { PIPE_ROOM = 60000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int ends[2];
    mesh m;
    bool answered;
    if (size > PIPE_ROOM)
        return 0;
    FUZZ_REQUIRE(pipe(ends) == 0);
    FUZZ_REQUIRE(write(ends[1], data, size) == (ssize_t)size);
    close(ends[1]);
    if (mesh_reply_receive(ends[0], clock_now() + 60, PIPE_ROOM, &m, &answered) == FR_OK)
        fuzz_use_mesh(&m);
    mesh_free(&m);
    close(ends[0]);
    return 0;
}
