/* Which definitions are valid, and which key the message for an invalid one names. */
#include <freshet/world.h>

#include <string.h>

#include "refusals.h"

static void test_the_default_is_legal(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    assert_ok(fr_scene_check(&def));
    fr_scene_def blank;
    memset(&blank, 0, sizeof blank);
    assert_int_equal(fr_scene_check(&blank), FR_ERROR_INPUT);
}

static void test_numbers_out_of_range_name_their_key(void **state)
{
    (void)state;
    const fr_scene_def good = fr_default_scene(FR_METHOD_SMOKE);
    fr_scene_def def = good;
    def.domain.cells[0] = -3;
    expect_key(&def, "domain.cells");
    def = good;
    def.domain.size[1] = NAN;
    expect_key(&def, "domain.size");
    def = good;
    def.domain.cells[0] = def.domain.cells[1] = def.domain.cells[2] = 60000;
    expect_key(&def, "domain.cells");
    def = good;
    def.time.fps = 0;
    expect_key(&def, "time.fps");
    def = good;
    def.time.duration = INFINITY;
    expect_key(&def, "time.duration");
    def = good;
    def.fluid.density = -1;
    expect_key(&def, "fluid.density");
    def = good;
    def.solver.pressure_tolerance = 2;
    expect_key(&def, "solver.pressure_tolerance");
    def = good;
    def.walls[FR_LEFT].kind = FR_WALL_PERIODIC;
    expect_key(&def, "walls.left");
    def = good;
    def.walls[FR_TOP] = (fr_wall_def){.kind = FR_WALL_NO_SLIP, .velocity.value = {0, 1, 0}};
    expect_key(&def, "walls.top");
}

static void test_what_has_no_effect_is_refused(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.smoke.buoyancy_density = 1;
    def.gravity[1] = 0;
    expect_key(&def, "gravity");
    def = fr_default_scene(FR_METHOD_SMOKE);
    def.has_prescribed = true;
    assert_ok(fr_scene_check(&def));
    def.fluid.viscosity = 1;
    expect_key(&def, "prescribed");
    def = fr_default_scene(FR_METHOD_SMOKE);
    fr_scalar_def ink = {.name = "ink", .has_initial = true};
    fr_scalar_value initial = {.name = "ink", .value.value = 1};
    def.scalars = &ink;
    def.initial = &initial;
    def.scalar_count = def.initial_count = 1;
    expect_key(&def, "initial");
}

static void test_refined_scalars(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    fr_scalar_def scalar = {.name = "ink", .refine = 8};
    def.scalars = &scalar;
    def.scalar_count = 1;
    assert_ok(fr_scene_check(&def));
    scalar.refine = 9;
    expect_key(&def, "scalars.ink");
    scalar.refine = -1;
    expect_key(&def, "scalars.ink");
    scalar = (fr_scalar_def){.name = "temperature", .refine = 2};
    expect_key(&def, "scalars.temperature");
    scalar.refine = 1;
    assert_ok(fr_scene_check(&def));
    scalar = (fr_scalar_def){.name = "density", .refine = 4};
    assert_ok(fr_scene_check(&def));
    def.domain.cells[0] = 500;      /* 8e9 fine cells */
    expect_key(&def, "scalars.density");
    def.domain = (fr_domain_def){.dims = 2, .size = {1, 0.001, 0}, .cells = {20000, 0, 0}};
    expect_key(&def, "scalars.density");
}

static void test_lists_name_their_element(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    fr_shape_def ball = fr_default_shape(FR_SHAPE_SPHERE);
    ball.radius = 0.1;
    fr_scalar_value ink = {.name = "ink", .value.value = 1};
    fr_source_def sources[2] = {{.shape.shape = &ball, .to = 1},
                                {.shape.shape = &ball, .scalars = &ink, .scalar_count = 1, .to = 1}};
    def.sources = sources;
    def.source_count = 2;
    expect_key(&def, "sources[2]");
    fr_scalar_def scalar = {.name = "ink"};
    def.scalars = &scalar;
    def.scalar_count = 1;
    assert_ok(fr_scene_check(&def));
    sources[0].to = -1;
    expect_key(&def, "sources[1]");
    scalar.name = "u";
    sources[0].to = 1;
    expect_key(&def, "scalars.u");
}

/* What a C program may write into an enumeration. */
static void test_choices_that_do_not_exist(void **state)
{
    (void)state;
    const fr_scene_def good = fr_default_scene(FR_METHOD_SMOKE);
    fr_scene_def def = good;
    def.method = (fr_method)17;
    expect_key(&def, "method");
    assert_non_null(strstr(fr_error_message(), "17"));
    def = good;
    def.walls[FR_TOP].kind = (fr_wall_kind)9;
    expect_key(&def, "walls.top");
    def = good;
    def.smoke.advection = (fr_advection)-1;
    expect_key(&def, "smoke.advection");
    def = good;
    def.solver.pressure = (fr_pressure_solver)3;
    expect_key(&def, "solver.pressure");
}

/* A count without a list, and a list without a count that makes sense. */
static void expect_list(fr_scene_def *def, int *count, const char *key)
{
    const int before = *count;
    *count = 1;
    expect_key(def, key);
    assert_non_null(strstr(fr_error_message(), "NULL"));
    *count = -1;
    expect_key(def, key);
    assert_non_null(strstr(fr_error_message(), "-1"));
    *count = before;
}

static void test_lists_that_are_missing(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    expect_list(&def, &def.fill_count, "fill");
    expect_list(&def, &def.scalar_count, "scalars");
    expect_list(&def, &def.source_count, "sources");
    expect_list(&def, &def.sink_count, "sinks");
    expect_list(&def, &def.force_count, "forces");
    expect_list(&def, &def.obstacle_count, "obstacles");
    expect_list(&def, &def.body_count, "bodies");
    expect_list(&def, &def.joint_count, "joints");
    expect_list(&def, &def.tracer_count, "particles");
    expect_list(&def, &def.initial_count, "initial");
    expect_list(&def, &def.probe_count, "probes");
    expect_list(&def, &def.output.view_count, "output.images");
    expect_list(&def, &def.look.ink_count, "look.inks");
    expect_list(&def, &def.walls[FR_TOP].scalar_count, "walls.top");
    def = fr_default_scene(FR_METHOD_RIVER);
    def.river.cells[0] = def.river.cells[1] = 8;
    expect_list(&def, &def.tracer_count, "particles");
    expect_list(&def, &def.river.block_count, "river.obstacles");
    expect_list(&def, &def.river.sides[1].scalar_count, "river.sides.s1");
}

static void test_lists_within_lists_that_are_missing(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    fr_source_def source = {0};
    fr_probe_def probe = {.n = 1};
    fr_scalar_def nameless = {0};
    const char *no_field = NULL;
    def.sources = &source;
    def.source_count = 1;
    expect_list(&def, &source.scalar_count, "sources[1]");
    def.source_count = 0;
    def.probes = &probe;
    def.probe_count = 1;
    expect_list(&def, &probe.field_count, "probes[1]");
    probe.fields = &no_field;
    probe.field_count = 1;
    expect_key(&def, "probes[1]");
    def.probe_count = 0;
    def.scalars = &nameless;
    def.scalar_count = 1;
    expect_key(&def, "scalars");
}

static void test_shapes_without_their_parts(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    fr_shape_def shape = fr_default_shape(FR_SHAPE_UNION);
    fr_obstacle_def obstacle = {.shape.shape = &shape};
    fr_world *world;
    def.domain.cells[0] = 4;
    def.obstacles = &obstacle;
    def.obstacle_count = 1;
    for (shape.child_count = -1; shape.child_count <= 1; shape.child_count += 2)
        assert_int_equal(fr_world_create(&def, &world), FR_ERROR_INPUT);
    shape = fr_default_shape(FR_SHAPE_POLYGON);
    shape.point_count = 5;
    assert_int_equal(fr_world_create(&def, &world), FR_ERROR_INPUT);
}

static void test_cells_are_cubes_when_one_number_is_given(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 3, .size = {1.5, 1, 0.75}, .cells = {96, 0, 0}};
    fr_estimate estimate;
    assert_ok(fr_scene_estimate(&def, &estimate));
    assert_int_equal(estimate.cells[0], 96);
    assert_int_equal(estimate.cells[1], 64);
    assert_int_equal(estimate.cells[2], 48);
    assert_near(estimate.spacing[2], 1.0 / 64, 1e-12);
    def.domain.cells[1] = 10;
    def.domain.cells[2] = 5;
    assert_ok(fr_scene_estimate(&def, &estimate));
    assert_near(estimate.spacing[1], 0.1, 1e-12);
}

static void test_frames_of_a_duration(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain.cells[0] = 4;
    def.time = (fr_time_def){.duration = 0.3, .fps = 10};
    fr_estimate estimate;
    assert_ok(fr_scene_estimate(&def, &estimate));
    assert_int_equal(estimate.frames, 3);
}

static void test_too_large_a_scene_is_refused_with_numbers(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain.cells[0] = 1250;
    fr_world *world;
    assert_int_equal(fr_world_create(&def, &world), FR_ERROR_INPUT);
    assert_string_equal(fr_error_key(), "domain.cells");
    assert_non_null(strstr(fr_error_message(), "GB"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_default_is_legal),
        cmocka_unit_test(test_numbers_out_of_range_name_their_key),
        cmocka_unit_test(test_what_has_no_effect_is_refused),
        cmocka_unit_test(test_refined_scalars),
        cmocka_unit_test(test_lists_name_their_element),
        cmocka_unit_test(test_choices_that_do_not_exist),
        cmocka_unit_test(test_lists_that_are_missing),
        cmocka_unit_test(test_lists_within_lists_that_are_missing),
        cmocka_unit_test(test_shapes_without_their_parts),
        cmocka_unit_test(test_cells_are_cubes_when_one_number_is_given),
        cmocka_unit_test(test_frames_of_a_duration),
        cmocka_unit_test(test_too_large_a_scene_is_refused_with_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
