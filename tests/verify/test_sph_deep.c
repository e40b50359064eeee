/* Deep liquids: pressure must come from the surface to the bottom without a sweep of the solver for every support on
 * its way. */
#include "support/dams.h"

/* Σ pressure over Σ weight above, of what lies more than an eighth below the surface and not at the floor, for water 1
 * m deep. */
static double weight_borne(const fr_frame *frame, double d)
{
    double pressure = 0, weight = 0;
    for (int64_t n = 0; n < frame->particle_count; n++) {
        double y = frame->particles.data[n * frame->particles.stride + 1];
        if (y < 3 * d || y > 0.875)
            continue;
        pressure += frame->attributes[1].data[n];
        weight += 9.81 * 1000 * (1 - y);
    }
    return pressure / weight;
}

/* Sweeps of the first ten steps of a tank, so many particles deep and 16 wide, from pressures that are all zero. After
   these pressure must stay what it is: what one step gives too little of the next ones have to make up for. */
static int first_sweeps(int dims, int deep)
{
    dams_box box;
    double d = 1.0 / deep, wide = 16 * d;
    dams_make(&box, FR_SPH_DFSPH, dims, (double[3]){wide, 1.25, wide}, (double[3]){wide, 1, wide}, d);
    fr_world *world = worlds_create(&box.def);
    int sweeps = 0;
    double worst = 0;
    for (int step = 0; step < 40; step++) {
        fr_step_report report;
        assert_ok(fr_world_step(world, &report));
        sweeps += step < 10 ? report.pressure_iterations : 0;
        double off = fabs(weight_borne(fr_world_frame(world), d) - 1);
        worst = step >= 10 && off > worst ? off : worst;
    }
    print_message("%dD, %d particles deep: %d sweeps, then pressure within %.3f of the weight above\n", dims, deep,
                  sweeps, worst);
    assert_below(worst, 0.15);
    fr_world_destroy(world);
    return sweeps;
}

/* What is smooth goes by the grid: four times the depth takes hardly more. */
static void test_depth_takes_few_sweeps_more(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        int shallow = first_sweeps(dims, 32);
        assert_below(first_sweeps(dims, 128), 2 * shallow);
    }
}

/* Still water, ten particles wide and many deep, upright or lying with gravity along −x, stays still; and a box that is
   full to the brim. Kinetic energy at the end, over what the water would have fallen from above the bottom. */
static double still_energy(int along, double deep, double room, double spacing, double seconds)
{
    dams_box box;
    double domain[2] = {10 * spacing, 10 * spacing}, liquid[2] = {10 * spacing, 10 * spacing};
    domain[along] = deep + room;
    liquid[along] = deep;
    dams_make(&box, FR_SPH_DFSPH, 2, (double[3]){domain[0], domain[1]}, (double[3]){liquid[0], liquid[1]}, spacing);
    memset(box.def.gravity, 0, sizeof box.def.gravity);
    box.def.gravity[along] = -9.81;
    box.def.time.fps = 10;
    fr_world *world = worlds_create(&box.def);
    double whole = worlds_ledger(world, "potential_energy"), kinetic = 0;
    for (int frame = 0; frame < 10 * seconds; frame++) {
        assert_ok(fr_world_step_frame(world));
        kinetic = worlds_ledger(world, "kinetic_energy");
        assert_near(dams_energy(world), whole, 0.01 * whole);
    }
    assert_near(worlds_ledger(world, "particles"), 10 * round(deep / spacing), 0);
    print_message("%.0f deep along axis %d: kinetic energy %.1e of the potential one\n", deep / spacing, along,
                  kinetic / whole);
    fr_world_destroy(world);
    return kinetic / whole;
}

static void test_still_water_stays_still(void **state)
{
    (void)state;
    for (int along = 0; along < 2; along++)
        assert_below(still_energy(along, 2, 0.2, 0.01, 2), 1e-5);
    assert_below(still_energy(1, 1, 0, 0.04, 4), 3e-5);
}

static fr_result push_in(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 0.5 * args[0] - 0.3;
    out[1] = 0.5;
    return FR_OK;
}

/* A ball that is pushed into a box without any air: said in words, and not by speeds. */
static void test_a_full_box_takes_nothing_in(void **state)
{
    (void)state;
    dams_box box;
    dams_make(&box, FR_SPH_DFSPH, 2, (double[3]){1, 1}, (double[3]){1, 1}, 0.04);
    fr_shape_def ball = fr_default_shape(FR_SHAPE_SPHERE);
    ball.radius = 0.2;
    fr_obstacle_def obstacle = {.shape = {.shape = &ball}, .path = push_in};
    box.def.obstacles = &obstacle;
    box.def.obstacle_count = 1;
    box.def.time.fps = 10;
    fr_world *world = worlds_create(&box.def);
    fr_result result = FR_OK;
    for (int frame = 0; frame < 10 && result == FR_OK; frame++)
        result = fr_world_step_frame(world);
    assert_int_equal(result, FR_ERROR_NUMERIC);
    assert_non_null(strstr(fr_error_message(), "less room than it needs"));
    fr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth_takes_few_sweeps_more),
        cmocka_unit_test(test_still_water_stays_still),
        cmocka_unit_test(test_a_full_box_takes_nothing_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
