/* Surface tension of particle liquids. */
#include "support/liquids.h"

/* A bar twice as long as it is wide draws itself together, and what it does so with comes from nowhere: it neither goes
   away nor turns, and has no more energy than its surface gave, σ times the length that it lost. */
static void test_bar_draws_together(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        liquid made;
        liquids_float(&made, dims, dims == 2 ? 0.05 : 0.1, 2);
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
        print_message("%dD: mean squares %.4f and %.4f m2, then %.4f and %.4f m2; momentum %.1e m/s, angular momentum "
                      "%.1e m2/s\n",
                      dims, before.second[0], before.second[1], after.second[0], after.second[1], after.momentum[0],
                      after.angular[2]);
        assert_below(after.second[0] / after.second[1], 0.6 * before.second[0] / before.second[1]);
        for (int a = 0; a < dims; a++) {
            assert_near(after.momentum[a], 0, 1e-5);
            assert_near(after.angular[a], 0, 1e-4);
        }
        fr_world_destroy(world);
    }
}

/* Without friction: what moves has come out of the surface. */
/* Chaotic: a hair more tension is another run, and none may burst. */
static void test_energy_comes_from_the_surface(void **state)
{
    (void)state;
    const double tensions[] = {99.9, 100, 100.0001, 100.01};
    for (int i = 0; i < 4; i++) {
        double tension = tensions[i], most = 0;
        liquid made;
        liquids_float(&made, 2, 0.05, 2);
        made.def.time.fps = 20;
        made.shape = fr_default_shape(FR_SHAPE_BOX);
        for (int a = 0; a < 3; a++) {
            made.shape.min[a] = a == 0 ? -0.6 : -0.3;
            made.shape.max[a] = a == 0 ? 0.6 : 0.3;
        }
        made.def.fluid.surface_tension = tension;
        fr_world *world = worlds_create(&made.def);
        for (int f = 0; f < 40; f++) {
            assert_ok(fr_world_step_frame(world));
            most = fmax(most, worlds_ledger(world, "kinetic_energy"));
        }
        assert_near(worlds_ledger(world, "particles"), 24 * 12, 0);
        double round = 2 * sqrt(3.14159265 * 1.2 * 0.6), given = tension * (2 * (1.2 + 0.6) - round);
        print_message("greatest kinetic energy %.3g J/m, the surface can give %.3g J/m\n", most, given);
        assert_below(most, given);
        fr_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bar_draws_together),
        cmocka_unit_test(test_energy_comes_from_the_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
