/* A world owns its definition: what the caller does to his own after fr_world_create has no effect. */
#include "support/worlds.h"

#include <stdlib.h>

/* Blocks on the heap that a definition points to. */
enum { MOST_BLOCKS = 64 };
static struct {
    void *data;
    size_t bytes;
} blocks[MOST_BLOCKS];
static int block_count;

static void *given(const void *from, size_t bytes)
{
    assert_true(block_count < MOST_BLOCKS);
    void *data = malloc(bytes);
    assert_non_null(data);
    blocks[block_count].data = memcpy(data, from, bytes);
    blocks[block_count++].bytes = bytes;
    return data;
}

#define GIVEN(type, ...) given((const type[]){__VA_ARGS__}, sizeof((const type[]){__VA_ARGS__}))

static const char *text(const char *words)
{
    return given(words, strlen(words) + 1);
}

/* Changes every byte of every list, text and shape; then they are gone. */
static void spoil(void)
{
    for (int i = 0; i < block_count; i++) {
        memset(blocks[i].data, 0x5a, blocks[i].bytes);
        free(blocks[i].data);
    }
    block_count = 0;
}

static const fr_shape_def *ball(double radius)
{
    fr_shape_def shape = fr_default_shape(FR_SHAPE_SPHERE);
    shape.radius = radius;
    return given(&shape, sizeof shape);
}

/* Two children that share one of theirs. */
static const fr_shape_def *nested(void)
{
    const fr_shape_def *shared = ball(0.1);
    fr_shape_def moved = fr_default_shape(FR_SHAPE_TRANSLATE), both = fr_default_shape(FR_SHAPE_UNION);
    moved.min[0] = 0.15;
    moved.children = GIVEN(fr_shape_def *const, (fr_shape_def *)shared);
    moved.child_count = 1;
    both.children = GIVEN(fr_shape_def *const, (fr_shape_def *)shared, given(&moved, sizeof moved));
    both.child_count = 2;
    return given(&both, sizeof both);
}

static const fr_shape_def *triangle(void)
{
    static const double corners[3][2] = {{0, 0}, {0.5, 0}, {0, 0.5}};
    fr_shape_def shape = fr_default_shape(FR_SHAPE_POLYGON);
    shape.points = given(corners, sizeof corners);
    shape.point_count = 3;
    return given(&shape, sizeof shape);
}

static fr_scene_def common(fr_method method)
{
    fr_scene_def def = fr_default_scene(method);
    def.name = text("mine");
    def.domain.dims = 2;
    def.time.fps = 20;
    def.probes = GIVEN(fr_probe_def, {.from = {0.5, 0.5}, .to = {0.5, 0.5}, .n = 1, .field_count = 1,
                                      .fields = GIVEN(char *const, (char *)text("speed"))});
    def.probe_count = 1;
    def.output.dir = text("elsewhere");
    def.output.views = GIVEN(fr_view_def, {.field = text("speed"), .colormap = text("magma")});
    def.output.view_count = 1;
    return def;
}

static fr_scene_def smoke(void)
{
    fr_scene_def def = common(FR_METHOD_SMOKE);
    def.domain.cells[0] = 24;
    def.smoke.buoyancy_temperature = 1;
    def.scalars = GIVEN(fr_scalar_def, {.name = text("ink"), .diffusion = 1e-3});
    def.initial = GIVEN(fr_scalar_value, {.name = text("ink"), .value.value = 0.5});
    def.sources = GIVEN(fr_source_def, {.shape = {.shape = ball(0.1), .at = {0.3, 0.2}}, .scalar_count = 2,
                                        .scalars = GIVEN(fr_scalar_value, {text("ink"), {.value = 1}},
                                                         {text("temperature"), {.value = 30}})});
    def.obstacles = GIVEN(fr_obstacle_def, {.shape = {.shape = nested(), .at = {0.4, 0.6}}, .spin = 40,
                                            .spin_axis = {0, 0, 1}});
    def.forces = GIVEN(fr_force_def, {.shape.shape = triangle(), .value.value = {2, 1, 0}});
    def.tracers = GIVEN(fr_tracers_def, {.shape.shape = ball(0.4), .count = 50});
    fr_body_def body = fr_default_body();
    fr_joint_def hinge = fr_default_joint(FR_JOINT_HINGE);
    body.name = text("wing");
    body.shape = (fr_placed_shape){.shape = nested(), .at = {0.7, 0.3}};
    body.spin[2] = 2;
    memcpy(hinge.at, body.shape.at, sizeof hinge.at);
    def.bodies = given(&body, sizeof body);
    def.joints = given(&hinge, sizeof hinge);
    def.walls[FR_LEFT] = (fr_wall_def){.kind = FR_WALL_INFLOW, .velocity.value = {1, 0, 0}, .scalar_count = 1,
                                       .scalars = GIVEN(fr_scalar_value, {text("ink"), {.value = 2}})};
    def.walls[FR_RIGHT].kind = FR_WALL_OPEN;
    def.look.inks = GIVEN(fr_ink_look, {.scalar = text("ink")});
    def.scalar_count = def.initial_count = def.source_count = def.obstacle_count = 1;
    def.body_count = def.joint_count = 1;
    def.force_count = def.tracer_count = def.look.ink_count = 1;
    return def;
}

static fr_scene_def liquid(void)
{
    fr_scene_def def = common(FR_METHOD_SPH);
    def.sph.spacing = 0.05;
    def.fill = GIVEN(fr_fill_def, {.shape.shape = triangle(), .velocity.value = {1, 0, 0}});
    def.sinks = GIVEN(fr_sink_def, {.shape = {.shape = ball(0.2), .at = {1, 0}}});
    def.obstacles = GIVEN(fr_obstacle_def, {.shape = {.shape = nested(), .at = {0.6, 0.1}}});
    def.forces = GIVEN(fr_force_def, {.shape.shape = triangle(), .value.value = {2, 1, 0}});
    def.fill_count = def.sink_count = def.obstacle_count = def.force_count = 1;
    return def;
}

static fr_result bend(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 2 * args[0];
    out[1] = args[1] + 0.2 * args[0] * args[0];
    out[2] = 0;
    return FR_OK;
}

static fr_scene_def river(void)
{
    fr_scene_def def = common(FR_METHOD_RIVER);
    def.river.cells[0] = 24;
    def.river.cells[1] = 8;
    def.river.grid = bend;
    def.river.sides[FR_LEFT] = (fr_river_side){.kind = FR_RIVER_INFLOW, .speed.value = 1, .scalar_count = 1,
                                               .scalars = GIVEN(fr_scalar_value, {text("ink"), {.value = 2}})};
    def.river.sides[FR_RIGHT].kind = FR_RIVER_OUTFLOW;
    def.river.blocks = GIVEN(fr_cells_def, {.from = {6, 3, 0}, .to = {8, 4, 0}});
    def.scalars = GIVEN(fr_scalar_def, {.name = text("ink")});
    def.sources = GIVEN(fr_source_def, {.in_cells = true, .cells = {{2, 1, 0}, {3, 2, 0}}, .scalar_count = 1,
                                        .scalars = GIVEN(fr_scalar_value, {text("ink"), {.value = 1}})});
    def.river.block_count = def.scalar_count = def.source_count = 1;
    return def;
}

static uint64_t hash_of(fr_scene_def (*make)(void), bool spoiled)
{
    fr_scene_def def = make();
    fr_world *world = NULL;
    assert_ok(fr_world_create(&def, &world));
    if (spoiled) {
        spoil();
        memset(&def, 0x5a, sizeof def);
    }
    for (int i = 0; i < 3; i++)
        assert_ok(fr_world_step_frame(world));
    double speed;
    assert_ok(fr_world_probe(world, "speed", (const double[3]){0.5, 0.5, 0}, &speed));
    uint64_t hash = worlds_hash(world);
    fr_world_destroy(world);
    spoil();
    return hash;
}

static void smoke_owns_its_definition(void **state)
{
    (void)state;
    assert_int_equal(hash_of(smoke, true), hash_of(smoke, false));
}

static void liquids_own_their_definition(void **state)
{
    (void)state;
    assert_int_equal(hash_of(liquid, true), hash_of(liquid, false));
}

static void rivers_own_their_definition(void **state)
{
    (void)state;
    assert_int_equal(hash_of(river, true), hash_of(river, false));
}

/* A shape that holds itself is refused with words, and many shapes find theirs. */
static void shapes_may_be_shared(void **state)
{
    (void)state;
    enum { MANY = 300 };
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    fr_shape_def shapes[MANY], self = fr_default_shape(FR_SHAPE_OFFSET);
    const fr_shape_def *parts[2 * MANY], *inner = &self;
    for (int i = 0; i < MANY; i++) {
        shapes[i] = fr_default_shape(FR_SHAPE_SPHERE);
        shapes[i].radius = 0.1 + 1e-4 * i;
        parts[i] = parts[MANY + i] = &shapes[i];
    }
    fr_shape_def all = fr_default_shape(FR_SHAPE_UNION);
    all.children = parts;
    all.child_count = 2 * MANY;
    self.children = &inner;
    self.child_count = 1;
    self.amount = 0.1;
    fr_obstacle_def obstacle = {.shape = {.shape = &all, .at = {0.5, 0.5, 0.5}}};
    def.domain.cells[0] = 8;
    def.obstacles = &obstacle;
    def.obstacle_count = 1;
    fr_world *world = NULL;
    assert_ok(fr_world_create(&def, &world));
    fr_world_destroy(world);
    obstacle.shape.shape = &self;
    assert_int_equal(fr_world_create(&def, &world), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "hold itself"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smoke_owns_its_definition),
        cmocka_unit_test(liquids_own_their_definition),
        cmocka_unit_test(rivers_own_their_definition),
        cmocka_unit_test(shapes_may_be_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
