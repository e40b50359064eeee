/* Tables and arrays of a river's nodes: finite places, or a message. The first three bytes say how many cells are
 * wanted. */
#include <math.h>

#include "base/memory.h"
#include "fuzz.h"
#include "river/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    const int cells[3] = {1 + data[0] % 4, 1 + data[1] % 4, data[2] % 3};
    fr_scene_def def = {
        .river = {.cells = {cells[0], cells[1], cells[2]}, .nodes = fuzz_store("nodes", data + 3, size - 3)}};
    double *nodes;
    if (river_nodes(&def, &nodes) != FR_OK) {
        FUZZ_REQUIRE(fr_error_message()[0]);
        return 0;
    }
    for (int n = 0; n < 3 * (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1); n++)
        FUZZ_REQUIRE(isfinite(nodes[n]));
    memory_free(nodes);
    return 0;
}
