/* A river's model and state without a world around them, for tests of single stages. */
#ifndef TESTS_SUPPORT_RIVER_STAGES_H
#define TESTS_SUPPORT_RIVER_STAGES_H

#include "river/scheme.h"
#include "support/rivers.h"

static inline fr_scene_def stages_scene(fr_river_scheme scheme, fr_function map, void *context, int ns, int nt, int nr)
{
    fr_scene_def def = rivers_scene(map, context, ns, nt);
    def.river.cells[2] = nr;
    def.river.scheme = scheme;
    return def;
}

static inline void stages_make(const fr_scene_def *def, river_model **m, river_state **s)
{
    assert_ok(river_model_create(def, m));
    assert_ok(river_state_create(*m, s));
    assert_ok(river_scheme_start(*m, *s));
}

static inline void stages_step(const river_model *m, river_state *s, double dt)
{
    timing t = {.traffic = &s->now.traffic};
    s->now.end = s->now.time + dt;
    assert_ok(river_scheme_step(m, s, dt, &t));
    river_scheme_accept(m, s);
    s->now.time = s->now.end;
    s->now.steps++;
}

static inline void stages_destroy(river_model *m, river_state *s)
{
    river_state_destroy(m, s);
    river_model_destroy(m);
}

#endif
