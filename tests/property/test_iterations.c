/* The pressure solve needs at most 14 iterations to 1e-6 wherever an obstacle is: balls, slabs and plates one cell
   thick, axis-aligned and tilted, inside the domain and cut by its sides. */
#include "support/worlds.h"

enum { PLACES = 14, MOST = 14, CELLS = 64 };

/* 0 … 1, repeatable. */
static double place(int n, int axis)
{
    return 0.5 + 0.45 * check_noise((uint64_t)(3 * n + axis + 1));
}

static fr_shape_def obstacle_shape(int n)
{
    fr_shape_def shape = fr_default_shape(n % 2 ? FR_SHAPE_BOX : FR_SHAPE_SPHERE);
    double thickness = n % 4 == 1 ? 1.5 / CELLS : 0.1;
    shape.radius = 0.05 + 0.15 * fabs(check_noise((uint64_t)(99 + n)));
    for (int a = 0; a < 3; a++) {
        shape.max[a] = a == 1 ? thickness / 2 : 0.3;
        shape.min[a] = -shape.max[a];
    }
    return shape;
}

static int iterations(int n)
{
    fr_shape_def shape = obstacle_shape(n);
    fr_obstacle_def solid = {.shape = {.shape = &shape,
                                       .at = {place(n, 0), place(n, 1), place(n, 2)},
                                       .axis = {0.3, 0.5, 1},
                                       .degrees = n % 3 == 0 ? 0 : 33 * n}};
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain.cells[0] = CELLS;
    def.solver.pressure_tolerance = 1e-6;
    def.time.dt = 0.005;
    def.has_initial_velocity = true;
    def.initial_velocity = (fr_vector){.function = worlds_noise, .context = (void *)(size_t)(n + 1)};
    def.obstacles = &solid;
    def.obstacle_count = 1;
    fr_world *world = worlds_create(&def);
    fr_step_report report;
    assert_ok(fr_world_step(world, &report));
    fr_world_destroy(world);
    return report.pressure_iterations;
}

static void test_few_iterations_wherever_the_obstacle_stands(void **state)
{
    (void)state;
    int most = 0;
    for (int n = 0; n < PLACES; n++) {
        int taken = iterations(n);
        most = taken > most ? taken : most;
        assert_in_range(taken, 1, MOST);
    }
    print_message("at most %d iterations over %d places\n", most, PLACES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_few_iterations_wherever_the_obstacle_stands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
