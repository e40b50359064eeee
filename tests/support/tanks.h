/* Tanks of liquid for tests. */
#ifndef TESTS_SUPPORT_TANKS_H
#define TESTS_SUPPORT_TANKS_H

#include "support/worlds.h"

/* A closed box with liquid in its lower left part, at rest. */
typedef struct tank {
    fr_shape_def liquid, solid, nozzle, drain;
    fr_fill_def fill;
    fr_obstacle_def obstacle;
    fr_source_def source;
    fr_sink_def sink;
    fr_force_def force;
    fr_scene_def def;
} tank;

static inline fr_shape_def tank_box(int dims, const double min[3], const double max[3])
{
    fr_shape_def box = fr_default_shape(FR_SHAPE_BOX);
    for (int a = 0; a < 3; a++) {
        box.min[a] = a < dims ? min[a] : -1;
        box.max[a] = a < dims ? max[a] : 1;
    }
    return box;
}

/* Fills `t` in place: the definition points into it. In 2D the third numbers do not count. */
static inline void tank_make(tank *t, int dims, const double size[3], const double filled[3], double spacing)
{
    memset(t, 0, sizeof *t);
    t->liquid = tank_box(dims, (double[3]){0, 0, 0}, filled);
    t->fill.shape.shape = &t->liquid;
    t->def = fr_default_scene(FR_METHOD_SPH);
    t->def.domain = (fr_domain_def){.dims = dims, .size = {size[0], size[1], dims == 3 ? size[2] : 0}};
    t->def.sph.spacing = spacing;
    t->def.time.duration = 10;
    t->def.fill = &t->fill;
    t->def.fill_count = 1;
}

static inline void tank_add_obstacle(tank *t, fr_shape_def shape)
{
    t->solid = shape;
    t->obstacle.shape.shape = &t->solid;
    t->def.obstacles = &t->obstacle;
    t->def.obstacle_count = 1;
}

static inline void tank_add_source(tank *t, fr_shape_def shape, double x, double y, double z)
{
    t->nozzle = shape;
    t->source = (fr_source_def){.shape = {.shape = &t->nozzle, .at = {x, y, z}}, .sets_velocity = true, .to = INFINITY};
    t->def.sources = &t->source;
    t->def.source_count = 1;
}

static inline void tank_add_sink(tank *t, fr_shape_def shape)
{
    t->drain = shape;
    t->sink = (fr_sink_def){.shape.shape = &t->drain, .to = INFINITY};
    t->def.sinks = &t->sink;
    t->def.sink_count = 1;
}

/* Steps until a time; frames end where they may. */
static inline void tank_run(fr_world *world, double until)
{
    while (fr_world_time(world) < until - 1e-9)
        assert_ok(fr_world_step(world, NULL));
}

static inline bool tank_holds(const fr_frame *frame, const double size[3])
{
    bool inside = true;
    for (int64_t n = 0; n < frame->particle_count; n++)
        for (int a = 0; a < frame->dims; a++) {
            float x = frame->particles.data[n * frame->particles.stride + a];
            inside = inside && x >= 0 && x <= (float)size[a];
        }
    return inside;
}

#endif
