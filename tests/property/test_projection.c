/* The largest divergence after the projection is at most tolerance × the initial one, for every combination of sides,
   in 2D and 3D, with and without an obstacle. */
#include "support/worlds.h"

enum { CLOSED, OPEN, INFLOW, KINDS };

typedef struct combination {
    int axis_code[3];      /* 0 … 8: the two sides' kinds; 9: periodic */
} combination;

static void set_axis(fr_scene_def *def, int axis, int code)
{
    for (int end = 0; end < 2; end++) {
        fr_wall_def *wall = &def->walls[2 * axis + end];
        int kind = end ? code / KINDS : code % KINDS;
        *wall = (fr_wall_def){.kind = code == KINDS * KINDS ? FR_WALL_PERIODIC
                                      : kind == OPEN        ? FR_WALL_OPEN
                                      : kind == INFLOW      ? FR_WALL_INFLOW
                                                            : FR_WALL_FREE_SLIP};
        if (wall->kind == FR_WALL_INFLOW)
            wall->velocity.value[axis] = 0.5;      /* through both sides: what enters left leaves right */
    }
}

/* Flow in without a way out is refused; those scenes are not walked through here. */
static bool balanced(const fr_scene_def *def)
{
    bool open = false, even = true;
    for (int side = 0; side < 2 * def->domain.dims; side++)
        open = open || def->walls[side].kind == FR_WALL_OPEN;
    for (int axis = 0; axis < def->domain.dims; axis++)
        even =
            even && (def->walls[2 * axis].kind == FR_WALL_INFLOW) == (def->walls[2 * axis + 1].kind == FR_WALL_INFLOW);
    if (def->obstacle_count && def->walls[FR_BOTTOM].kind == FR_WALL_INFLOW)
        even = false;                              /* the obstacle stands in that inflow */
    return open || even;
}

static void check_scene(const fr_scene_def *def, const combination *c)
{
    fr_world *world = worlds_create(def);
    fr_step_report report;
    assert_ok(fr_world_step(world, &report));
    if (!(report.max_divergence <= def->solver.pressure_tolerance * report.initial_divergence)) {
        print_error("sides %d %d %d, solver %d, obstacles %d: divergence %g of %g\n", c->axis_code[0], c->axis_code[1],
                    c->axis_code[2], (int)def->solver.pressure, def->obstacle_count, report.max_divergence,
                    report.initial_divergence);
        fail();
    }
    fr_world_destroy(world);
}

static void walk(int dims, bool obstacle, fr_pressure_solver solver)
{
    fr_shape_def ball = fr_default_shape(FR_SHAPE_SPHERE);
    ball.radius = 0.23;
    fr_obstacle_def solid = {.shape = {.shape = &ball, .at = {0.45, 0.15, dims == 3 ? 0.55 : 0}}}; /* cuts the floor */
    int codes = KINDS * KINDS + 1, scenes = 0;
    for (int n = 0; n < codes * codes * (dims == 3 ? codes : 1); n++) {
        combination c = {{n % codes, n / codes % codes, n / codes / codes}};
        fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
        def.domain = (fr_domain_def){.dims = dims, .size = {1, 1, 1}, .cells = {9, 7, dims == 3 ? 6 : 0}};
        def.solver.pressure = solver;
        def.solver.pressure_tolerance = 1e-5;
        def.time.dt = 0.02;
        def.has_initial_velocity = true;
        def.initial_velocity = (fr_vector){.function = worlds_noise, .context = (void *)(size_t)(n + 1)};
        def.obstacles = &solid;
        def.obstacle_count = obstacle;
        for (int axis = 0; axis < dims; axis++)
            set_axis(&def, axis, c.axis_code[axis]);
        if (!balanced(&def))
            continue;
        check_scene(&def, &c);
        scenes++;
    }
    assert_true(scenes > 60);
}

static void test_multigrid_2d(void **state)
{
    (void)state;
    walk(2, false, FR_PRESSURE_MULTIGRID);
}

static void test_multigrid_2d_obstacle(void **state)
{
    (void)state;
    walk(2, true, FR_PRESSURE_MULTIGRID);
}

static void test_multigrid_3d(void **state)
{
    (void)state;
    walk(3, false, FR_PRESSURE_MULTIGRID);
}

static void test_multigrid_3d_obstacle(void **state)
{
    (void)state;
    walk(3, true, FR_PRESSURE_MULTIGRID);
}

static void test_plain_cg(void **state)
{
    (void)state;
    walk(2, true, FR_PRESSURE_CG);
}

static void test_inflow_without_a_way_out_is_refused(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain.cells[0] = 8;
    def.walls[FR_LEFT] = (fr_wall_def){.kind = FR_WALL_INFLOW, .velocity.value = {1, 0, 0}};
    fr_world *world;
    assert_int_equal(fr_world_create(&def, &world), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "no open side"));
    assert_string_equal(fr_error_key(), "walls");
}

/* A wall across the domain between the inflow and the open side. */
static void test_inflow_into_a_closed_pocket_is_refused(void **state)
{
    (void)state;
    fr_shape_def wall = fr_default_shape(FR_SHAPE_BOX);
    wall.min[0] = 0.4, wall.max[0] = 0.6;
    wall.min[1] = -1, wall.max[1] = 2;
    fr_obstacle_def solid = {.shape.shape = &wall};
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 2, .size = {1, 1, 0}, .cells = {20, 0, 0}};
    def.walls[FR_LEFT] = (fr_wall_def){.kind = FR_WALL_INFLOW, .velocity.value = {1, 0, 0}};
    def.walls[FR_RIGHT].kind = FR_WALL_OPEN;
    def.obstacles = &solid;
    def.obstacle_count = 1;
    fr_world *world;
    assert_int_equal(fr_world_create(&def, &world), FR_ERROR_INPUT);
    assert_string_equal(fr_error_key(), "walls");
}

int main(void)
{
    fr_set_threads(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_multigrid_2d),
        cmocka_unit_test(test_multigrid_2d_obstacle),
        cmocka_unit_test(test_multigrid_3d),
        cmocka_unit_test(test_multigrid_3d_obstacle),
        cmocka_unit_test(test_plain_cg),
        cmocka_unit_test(test_inflow_without_a_way_out_is_refused),
        cmocka_unit_test(test_inflow_into_a_closed_pocket_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
