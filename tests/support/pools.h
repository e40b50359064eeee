/* Liquids on the grid for tests: scenes, trackers, and where the surface is. */
#ifndef TESTS_SUPPORT_POOLS_H
#define TESTS_SUPPORT_POOLS_H

#include <math.h>

#include "support/worlds.h"

#define POOLS_PI 3.14159265358979323846

typedef struct pools_tracker {
    const char *name;
    fr_liquid_surface surface;
} pools_tracker;

static const pools_tracker pools_trackers[] = {{"level_set", FR_LIQUID_LEVEL_SET},
                                               {"flip", FR_LIQUID_FLIP},
                                               {"apic", FR_LIQUID_APIC},
                                               {"particle_level_set", FR_LIQUID_PARTICLE_LEVEL_SET},
                                               {"markers", FR_LIQUID_MARKERS}};
enum { POOLS_TRACKERS = sizeof pools_trackers / sizeof pools_trackers[0] };

/* A box with one filled shape, and perhaps one obstacle. */
typedef struct pool {
    fr_shape_def liquid, solid;
    fr_fill_def fill;
    fr_obstacle_def obstacle;
    fr_scene_def def;
} pool;

/* Fills `p` in place: the definition points into it. The box begins at 0 and has `cells` cubes along its longest side;
   in 2D the third size does not count. The caller sets the shape of the liquid. */
static inline void pools_make(pool *p, fr_liquid_surface surface, int dims, const double size[3], int cells)
{
    memset(p, 0, sizeof *p);
    p->def = fr_default_scene(FR_METHOD_LIQUID);
    p->def.domain =
        (fr_domain_def){.dims = dims, .size = {size[0], size[1], dims == 3 ? size[2] : 0}, .cells = {cells, 0, 0}};
    p->def.liquid.surface = surface;
    p->fill.shape.shape = &p->liquid;
    p->def.fill = &p->fill;
    p->def.fill_count = 1;
}

/* The same with its middle at the origin. */
static inline void pools_centre(pool *p)
{
    for (int a = 0; a < 3; a++)
        p->def.domain.origin[a] = -p->def.domain.size[a] / 2;
}

static inline void pools_add_obstacle(pool *p, fr_shape_def shape)
{
    p->solid = shape;
    p->obstacle.shape.shape = &p->solid;
    p->def.obstacles = &p->obstacle;
    p->def.obstacle_count = 1;
}

static inline fr_shape_def pools_box(const double min[3], const double max[3])
{
    fr_shape_def box = fr_default_shape(FR_SHAPE_BOX);
    memcpy(box.min, min, sizeof box.min);
    memcpy(box.max, max, sizeof box.max);
    return box;
}

/* Everything below a height. */
static inline fr_shape_def pools_below(double height)
{
    return pools_box((double[3]){-1e3, -1e3, -1e3}, (double[3]){1e3, height, 1e3});
}

/* Height of the highest crossing of φ in a column of cells, m; NAN: none. */
static inline double pools_height(const fr_frame *frame, int i, int k)
{
    for (int j = frame->cells[1] - 2; j >= 0; j--) {
        double low = worlds_value(frame, "level_set", i, j, k), high = worlds_value(frame, "level_set", i, j + 1, k);
        if (low < 0 && high >= 0)
            return frame->origin[1] + frame->spacing[1] * (j + 0.5 + low / (low - high));
    }
    return NAN;
}

static inline double pools_level_set(fr_world *world, const double at[3])
{
    double phi;
    assert_ok(fr_world_probe(world, "level_set", at, &phi));
    return phi;
}

/* How far it is from `from`, in the liquid, to the surface along an axis, m; at most `most`. */
static inline double pools_way(fr_world *world, const double from[3], int axis, double step, double most)
{
    double at[3] = {from[0], from[1], from[2]}, before = pools_level_set(world, from), phi;
    for (double way = fabs(step); way < most; way += fabs(step), before = phi) {
        at[axis] = from[axis] + copysign(way, step);
        phi = pools_level_set(world, at);
        if (phi >= 0)
            return way - fabs(step) * phi / (phi - before);
    }
    return most;
}

static inline double pools_energy(fr_world *world)
{
    return worlds_ledger(world, "kinetic_energy") + worlds_ledger(world, "potential_energy");
}

#endif
