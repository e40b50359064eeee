/* A dam that breaks and falls back upon itself. Air that the water closes around has no pressure, and must not eat it
   through the particles of its side of the level set; drops that only particles know of must not count for more than
   they hold. */
#include "support/pools.h"

enum { SECONDS = 4, FPS = 12 };

static void test_closing_water(void **state)
{
    (void)state;
    pool p;
    pools_make(&p, FR_LIQUID_PARTICLE_LEVEL_SET, 2, (double[3]){1.6, 0.8, 0}, 64);
    p.liquid = pools_box((double[3]){0, 0, 0}, (double[3]){0.4, 0.5, 0});
    p.def.walls[FR_TOP].kind = FR_WALL_OPEN;
    p.def.liquid.volume = FR_LIQUID_VOLUME_FREE;
    p.def.time = (fr_time_def){.duration = SECONDS, .fps = FPS};
    fr_world *world = worlds_create(&p.def);
    double worst = 0, mean = 0;
    for (int frame = 0; frame < SECONDS * FPS; frame++) {
        assert_ok(fr_world_step_frame(world));
        double error = fabs(worlds_ledger(world, "volume_error"));
        worst = fmax(worst, error);
        mean += error / (SECONDS * FPS);
    }
    print_message("a roller closes and splashes: the volume is off by %.2f %% on average, %.1f %% at worst\n",
                  100 * mean, 100 * worst);
    assert_below(mean, 0.01);
    assert_below(worst, 0.03);
    fr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_closing_water)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
