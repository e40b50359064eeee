/* Sources, sinks and particles whose end time a C program leaves at 0 never end. */
#include "support/liquids.h"
#include "support/rivers.h"

static const double SHORT = 0.2;   /* s */

static void test_smoke(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    fr_shape_def box = fr_default_shape(FR_SHAPE_BOX);
    fr_scalar_value density = {.name = "density", .value.value = 1};
    fr_world *world;
    box.min[0] = box.min[1] = 0.25;
    box.max[0] = box.max[1] = 0.75;
    fr_source_def source = {.shape.shape = &box, .scalars = &density, .scalar_count = 1, .rate = 1};
    fr_tracers_def tracers = {.rate = 100};
    def.domain = (fr_domain_def){.dims = 2, .size = {1, 1}, .cells = {8, 0, 0}};
    def.time = (fr_time_def){.duration = SHORT, .fps = 1 / SHORT};
    def.sources = &source;
    def.tracers = &tracers;
    def.source_count = def.tracer_count = 1;
    assert_ok(fr_world_create(&def, &world));
    assert_ok(fr_world_step_frame(world));
    assert_near(worlds_ledger(world, "smoke_mass"), 0.25 * SHORT, 1e-3);
    assert_near(worlds_ledger(world, "particles"), 100 * SHORT, 1);
    fr_world_destroy(world);
}

static void test_river(void **state)
{
    (void)state;
    double bend = 0;
    fr_scene_def def = rivers_scene(rivers_bent_map, &bend, 8, 8);
    fr_scalar_def ink = {.name = "ink"};
    fr_scalar_value value = {.name = "ink", .value.value = 1};
    fr_source_def source = {.in_cells = true, .cells = {{0, 0, 0}, {7, 7, 0}}, .scalars = &value, .scalar_count = 1};
    fr_tracers_def tracers = {.rate = 100};
    fr_world *world;
    def.scalars = &ink;
    def.sources = &source;
    def.tracers = &tracers;
    def.scalar_count = def.source_count = def.tracer_count = 1;
    def.time = (fr_time_def){.duration = SHORT, .fps = 1 / SHORT};
    assert_ok(fr_world_create(&def, &world));
    assert_ok(fr_world_step_frame(world));
    assert_near(worlds_ledger(world, "total_ink"), 1, 1e-5);
    assert_near(worlds_ledger(world, "particles"), 100 * SHORT, 1);
    fr_world_destroy(world);
}

/* A nozzle fills the domain; a sink empties it. */
static void test_liquid(void **state)
{
    (void)state;
    liquid made = {.shape = fr_default_shape(FR_SHAPE_BOX)};
    fr_shape_def everywhere = fr_default_shape(FR_SHAPE_SPHERE);
    fr_world *world;
    fr_estimate estimate;
    everywhere.radius = 10;
    for (int a = 0; a < 2; a++) {
        made.shape.min[a] = -0.2;
        made.shape.max[a] = 0.2;
    }
    liquids_float(&made, 2, 0.05, SHORT);
    fr_source_def source = {.shape.shape = &made.shape, .sets_velocity = true, .velocity.value = {1, 0, 0}};
    made.def.fill_count = 0;
    made.def.sources = &source;
    made.def.source_count = 1;
    assert_ok(fr_scene_estimate(&made.def, &estimate));
    assert_true(estimate.particles > 20);
    assert_ok(fr_world_create(&made.def, &world));
    assert_ok(fr_world_step_frame(world));
    assert_true(worlds_ledger(world, "particles") > 20);
    fr_world_destroy(world);
    fr_sink_def sink = {.shape.shape = &everywhere};
    made.def.fill_count = 1;
    made.def.source_count = 0;
    made.def.sinks = &sink;
    made.def.sink_count = 1;
    assert_ok(fr_world_create(&made.def, &world));
    assert_ok(fr_world_step_frame(world));
    assert_near(worlds_ledger(world, "particles"), 0, 0);
    fr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smoke),
        cmocka_unit_test(test_river),
        cmocka_unit_test(test_liquid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
