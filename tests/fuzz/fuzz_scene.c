/* Scenes: any text is a scene that can be looked at, or is refused with a message that names the file. */
#include <freshet/scene.h>
#include <freshet/world.h>

#include <math.h>
#include <string.h>

#include "fuzz.h"

/* Sizing up a liquid asks its shapes at every place of a lattice, and a river lays out its grid: large ones take their
   time, and are not what is looked for. */
static int fuzz_is_small(const fr_scene_def *def)
{
    double places = 1;
    for (int a = 0; a < def->domain.dims; a++)
        places *= def->method == FR_METHOD_SPH ? def->domain.size[a] / def->sph.spacing : 1;
    for (int a = 0; a < 3 && def->method == FR_METHOD_RIVER; a++)
        places *= def->river.cells[a] + 1;
    return places < 5000;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fr_scene *scene;
    fr_estimate estimate;
    fr_set_log_sink(NULL, NULL);
    fr_result result = fr_scene_load(fuzz_store("scene.lua", data, size), NULL, &scene);
    if (result != FR_OK) {
        FUZZ_REQUIRE(!scene && fr_error_message()[0]);
        FUZZ_REQUIRE(result != FR_ERROR_INPUT || strstr(fr_error_message(), "scene.lua"));
        return 0;
    }
    const fr_scene_def *def = fr_scene_definition(scene);
    FUZZ_REQUIRE(fr_scene_check(def) == FR_OK);
    if (fuzz_is_small(def) && fr_scene_estimate(def, &estimate) == FR_OK)
        FUZZ_REQUIRE(estimate.memory_bytes > 0 && isfinite(estimate.memory_bytes));
    fr_scene_destroy(scene);
    return 0;
}
