/* Surface tension of particle liquids. */
#include "support/liquids.h"

/* Mean of the pressure within 0.6 of the radius around the middle, Pa. */
static double inner_pressure(fr_world *world, double radius)
{
    const fr_frame *frame = fr_world_frame(world);
    double sum = 0, count = 0;
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *x = frame->particles.data + n * frame->particles.stride;
        if (sqrt((double)x[0] * x[0] + (double)x[1] * x[1] + (double)x[2] * x[2]) > 0.6 * radius)
            continue;
        sum += frame->attributes[1].data[n];
        count++;
    }
    return sum / count;
}

/* A round drop is under σ/R in 2D and 2σ/R in 3D (Laplace). */
static void test_pressure_in_a_drop(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int i = 0; i < 2; i++) {
            double radius = 0.5 - 0.2 * i, spacing = dims == 2 ? 0.04 : 0.08, sum = 0, tension = 10;
            liquid made;
            liquids_float(&made, dims, spacing, 1);
            made.shape = fr_default_shape(FR_SHAPE_SPHERE);
            made.shape.radius = radius;
            made.def.time.fps = 40;
            made.def.fluid.surface_tension = tension;
            made.def.fluid.viscosity = 0.05;
            fr_world *world = worlds_create(&made.def);
            for (int f = 0; f < 40; f++) {
                assert_ok(fr_world_step_frame(world));
                sum += f >= 20 ? inner_pressure(world, radius) / 20 : 0;
            }
            double count = worlds_ledger(world, "particles"), true_radius = dims == 2 ? spacing * sqrt(count / 3.14159) : spacing * cbrt(count * 3 / 4 / 3.14159);
            print_message("%dD, radius %.3f m: %.4g Pa, Laplace's law says %.4g Pa\n", dims, true_radius, sum, (dims - 1) * tension / true_radius);
            fr_world_destroy(world);
        }
}

/* A square becomes round, turns neither nor goes away. */
static void test_square_becomes_round(void **state)
{
    (void)state;
    liquid made;
    liquids_float(&made, 2, 0.05, 2);
    made.shape = fr_default_shape(FR_SHAPE_BOX);
    for (int a = 0; a < 3; a++) {
        made.shape.min[a] = a == 0 ? -0.7 : -0.3;
        made.shape.max[a] = a == 0 ? 0.5 : 0.3;
    }
    made.def.fluid.surface_tension = 100;
    made.def.fluid.viscosity = 0.1;
    fr_world *world = worlds_create(&made.def);
    liquid_sums before = liquids_sum(world);
    assert_ok(fr_world_step_frame(world));
    liquid_sums after = liquids_sum(world);
    print_message("square to circle: mean squares %.4g %.4g m2, then %.4g %.4g m2; momentum %.2g %.2g m/s, angular %.2g\n", before.second[0], before.second[1],
                  after.second[0], after.second[1], after.momentum[0], after.momentum[1], after.angular[2]);
    fr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pressure_in_a_drop),
        cmocka_unit_test(test_square_becomes_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
