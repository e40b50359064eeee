/* Rivers made ready for tests of single stages: a model and a state without a world around them. */
#ifndef TESTS_SUPPORT_RIVERS_H
#define TESTS_SUPPORT_RIVERS_H

#include <freshet/freshet.h>

#include "check.h"
#include "model/river_state.h"

static inline fr_scene_def rivers_scene(fr_river_scheme scheme, fr_function grid, void *context, int ns, int nt, int nr)
{
    fr_scene_def def = fr_default_scene(FR_METHOD_RIVER);
    def.river = (fr_river_def){.cells = {ns, nt, nr}, .grid = grid, .grid_context = context, .scheme = scheme, .sweeps = 80, .viscous_sweeps = 20};
    def.fluid = (fr_fluid_def){.density = 1000};
    for (int side = 0; side < FR_SIDES; side++)
        def.river.sides[side].roughness = 1;
    return def;
}

static inline void rivers_make(const fr_scene_def *def, river_model **m, river_state **s)
{
    assert_ok(river_model_create(def, m));
    assert_ok(river_state_create(*m, s));
}

static inline void rivers_destroy(river_model *m, river_state *s)
{
    river_state_destroy(m, s);
    river_model_destroy(m);
}

#endif
