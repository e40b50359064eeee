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

/* A sweep brings pressure one support further down: four times the depth may take four times as many, and no more. */
static void test_depth_takes_few_sweeps_more(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        int shallow = first_sweeps(dims, 32);
        assert_below(first_sweeps(dims, 128), 4 * shallow);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth_takes_few_sweeps_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
