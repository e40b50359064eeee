/* A dam that breaks and falls back upon itself: air that the water closes around has no pressure, and must not eat it
   through the particles of its side of the level set. */
#include "support/pools.h"

static void test_closing_water(void **state)
{
    (void)state;
    pool p;
    pools_make(&p, FR_LIQUID_PARTICLE_LEVEL_SET, 2, (double[3]){1.6, 0.8, 0}, 64);
    p.liquid = pools_box((double[3]){0, 0, 0}, (double[3]){0.4, 0.5, 0});
    p.def.walls[FR_TOP].kind = FR_WALL_OPEN;
    p.def.liquid.volume = FR_LIQUID_VOLUME_FREE;
    p.def.time = (fr_time_def){.duration = 2, .fps = 1};
    fr_world *world = worlds_create(&p.def);
    for (int frame = 0; frame < 2; frame++)
        assert_ok(fr_world_step_frame(world));
    double error = worlds_ledger(world, "volume_error");
    print_message("a roller has closed: the volume is off by %.1f %%\n", 100 * error);
    assert_below(fabs(error), 0.1);
    fr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_closing_water)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
