/* Small worlds for tests, and hashes of what they hold. */
#ifndef TESTS_SUPPORT_WORLDS_H
#define TESTS_SUPPORT_WORLDS_H

#include <freshet/freshet.h>
#include <string.h>

#include "support/check.h"

/* A rough flow: repeatable noise by position. */
static inline fr_result worlds_noise(void *context, const double *args, double *out)
{
    uint64_t seed = (uint64_t)(size_t)context;
    for (int a = 0; a < 3; a++) {
        int64_t key = (int64_t)(1e6 * args[0]) * 73856093 + (int64_t)(1e6 * args[1]) * 19349663 +
                      (int64_t)(1e6 * args[2]) * 83492791 + a * 7919;
        out[a] = check_noise((uint64_t)key + seed);
    }
    return FR_OK;
}

/* FNV-1a over the bits of every field and every particle of the present frame. */
static inline uint64_t worlds_hash(fr_world *world)
{
    uint64_t hash = 14695981039346656037u;
    const fr_frame *frame = fr_world_frame(world);
    for (int f = 0; f < frame->field_count; f++) {
        const fr_field *field = &frame->fields[f];
        for (int64_t k = 0; k < field->size[2]; k++)
            for (int64_t j = 0; j < field->size[1]; j++)
                for (int64_t i = 0; i < field->size[0]; i++) {
                    uint32_t bits;
                    memcpy(&bits, field->data + i * field->stride[0] + j * field->stride[1] + k * field->stride[2],
                           sizeof bits);
                    hash = (hash ^ bits) * 1099511628211u;
                }
    }
    for (int64_t n = 0; n < 6 * frame->particle_count; n++) {
        fr_vectors vectors = n % 6 < 3 ? frame->particles : frame->particle_velocity;
        uint32_t bits;
        memcpy(&bits, vectors.data + n / 6 * vectors.stride + n % 3, sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    return hash;
}

/* The hash after three frames on so many threads. */
static inline uint64_t worlds_run_hash(const fr_scene_def *def, int threads)
{
    fr_world *world = NULL;
    fr_set_threads(threads);
    assert_ok(fr_world_create(def, &world));
    for (int i = 0; i < 3; i++)
        assert_ok(fr_world_step_frame(world));
    uint64_t hash = worlds_hash(world);
    fr_world_destroy(world);
    fr_set_threads(0);
    return hash;
}

static inline double worlds_ledger(fr_world *world, const char *column)
{
    const fr_frame *frame = fr_world_frame(world);
    for (int c = 0; c < frame->ledger.count; c++)
        if (!strcmp(frame->ledger.names[c], column))
            return frame->ledger.values[c];
    fail_msg("no column %s", column);
    return 0;
}

static inline float worlds_value(const fr_frame *frame, const char *name, int i, int j, int k)
{
    const fr_field *f = fr_frame_field(frame, name);
    assert_non_null(f);
    return f->data[i * f->stride[0] + j * f->stride[1] + k * f->stride[2]];
}

static inline fr_world *worlds_create(const fr_scene_def *def)
{
    fr_world *world;
    assert_ok(fr_world_create(def, &world));
    return world;
}

/* A world that is saved between two frames, after so many steps, and goes on in another one: the same bits, and the
   same in a column of the ledger. `name` is for the message. */
static inline void worlds_check_resume(const fr_scene_def *def, int steps, const char *column, const char *name)
{
    fr_world *whole = worlds_create(def), *second = worlds_create(def);
    const fr_block *blocks;
    int count;
    for (int i = 0; i < steps; i++)
        assert_ok(fr_world_step(whole, NULL));
    assert_ok(fr_world_snapshot(whole, &blocks, &count));
    assert_ok(fr_world_restore(second, blocks, count));
    if (worlds_hash(whole) != worlds_hash(second))
        fail_msg("%s in %dD is not what was saved", name, def->domain.dims);
    for (int frame = 0; frame < 2; frame++) {
        assert_ok(fr_world_step_frame(whole));
        assert_ok(fr_world_step_frame(second));
    }
    if (worlds_hash(whole) != worlds_hash(second))
        fail_msg("%s in %dD goes on with other bits", name, def->domain.dims);
    assert_near(worlds_ledger(whole, column), worlds_ledger(second, column), 0);
    fr_world_destroy(whole);
    fr_world_destroy(second);
}

/* A plume past a ball with everything switched on: heat, an ink that diffuses, confinement, viscosity. */
typedef struct worlds_plume {
    fr_shape_def source_shape, ball;
    fr_scalar_value values[3];
    fr_scalar_def scalars[1];
    fr_source_def source;
    fr_obstacle_def obstacle;
    fr_scene_def def;
} worlds_plume;

/* Fills `p` in place: the definition points into it. */
static inline void worlds_plume_make(worlds_plume *p, int dims, int cells)
{
    memset(p, 0, sizeof *p);
    p->source_shape = fr_default_shape(FR_SHAPE_SPHERE);
    p->source_shape.radius = 0.12;
    p->ball = fr_default_shape(FR_SHAPE_SPHERE);
    p->ball.radius = 0.13;
    p->values[0] = (fr_scalar_value){.name = "density", .value.value = 1};
    p->values[1] = (fr_scalar_value){.name = "temperature", .value.value = 50};
    p->values[2] = (fr_scalar_value){.name = "ink", .value.value = 1};
    p->scalars[0] = (fr_scalar_def){.name = "ink", .diffusion = 1e-3, .dissipation = 0.1};
    double z = dims == 3 ? 0.5 : 0;
    p->source = (fr_source_def){
        .shape = {.shape = &p->source_shape, .at = {0.5, 0.2, z}}, .scalars = p->values, .scalar_count = 3, .to = 1e9};
    p->obstacle = (fr_obstacle_def){.shape = {.shape = &p->ball, .at = {0.5, 0.75, z}}};
    p->def = fr_default_scene(FR_METHOD_SMOKE);
    p->def.domain = (fr_domain_def){.dims = dims, .size = {1, 1.25, dims == 3 ? 1 : 0}, .cells = {cells, 0, 0}};
    p->def.smoke = (fr_smoke_def){.vorticity = 0.2, .buoyancy_temperature = 0.06, .buoyancy_density = 0.3};
    p->def.fluid.viscosity = 1e-4;
    p->def.walls[FR_TOP].kind = FR_WALL_OPEN;
    p->def.scalars = p->scalars;
    p->def.scalar_count = 1;
    p->def.sources = &p->source;
    p->def.source_count = 1;
    p->def.obstacles = &p->obstacle;
    p->def.obstacle_count = 1;
}

#endif
