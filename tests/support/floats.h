/* Pools with rigid bodies for tests. */
#ifndef TESTS_SUPPORT_FLOATS_H
#define TESTS_SUPPORT_FLOATS_H

#include "support/pools.h"

enum { FLOATS_MOST = 12 };

typedef struct floats {
    pool pool;
    fr_shape_def shapes[FLOATS_MOST];
    fr_body_def bodies[FLOATS_MOST];
    fr_joint_def joints[FLOATS_MOST];
} floats;

/* A box of that size, filled up to a height, in place: the definition points into it. */
static inline fr_scene_def *floats_make(floats *f, fr_liquid_surface surface, int dims, const double size[3], int cells)
{
    memset(f, 0, sizeof *f);
    pools_make(&f->pool, surface, dims, size, cells);
    f->pool.def.bodies = f->bodies;
    f->pool.def.joints = f->joints;
    return &f->pool.def;
}

static inline fr_body_def *floats_add(floats *f, fr_shape_def shape, const double at[3], double density)
{
    const int n = f->pool.def.body_count++;
    f->shapes[n] = shape;
    f->bodies[n] = fr_default_body();
    f->bodies[n].shape = (fr_placed_shape){.shape = &f->shapes[n], .axis = {0, 0, 1}, .at = {at[0], at[1], at[2]}};
    f->bodies[n].density.value = density;
    return &f->bodies[n];
}

static inline fr_shape_def floats_ball(double radius)
{
    fr_shape_def ball = fr_default_shape(FR_SHAPE_SPHERE);
    ball.radius = radius;
    return ball;
}

static inline fr_shape_def floats_box(double x, double y, double z)
{
    return pools_box((double[3]){-x / 2, -y / 2, -z / 2}, (double[3]){x / 2, y / 2, z / 2});
}

static inline const fr_body_state *floats_body(fr_world *world, int body)
{
    return &fr_world_frame(world)->bodies[body];
}

/* FNV-1a over the fields and the states of all bodies. */
static inline uint64_t floats_hash(fr_world *world)
{
    const fr_frame *frame = fr_world_frame(world);
    uint64_t hash = worlds_hash(world);
    for (int b = 0; b < frame->body_count; b++) {
        const fr_body_state *s = &frame->bodies[b];
        const double all[13] = {s->position[0], s->position[1], s->position[2], s->rotation[0], s->rotation[1],
                                s->rotation[2], s->rotation[3], s->velocity[0], s->velocity[1], s->velocity[2],
                                s->spin[0],     s->spin[1],     s->spin[2]};
        for (int i = 0; i < 13; i++) {
            uint64_t bits;
            memcpy(&bits, &all[i], sizeof bits);
            hash = (hash ^ bits) * 1099511628211u;
        }
    }
    return hash;
}

static inline uint64_t floats_run_hash(const fr_scene_def *def, int threads, int frames)
{
    fr_set_threads(threads);
    fr_world *world = worlds_create(def);
    for (int i = 0; i < frames; i++)
        assert_ok(fr_world_step_frame(world));
    const uint64_t hash = floats_hash(world);
    fr_world_destroy(world);
    fr_set_threads(0);
    return hash;
}

#endif
