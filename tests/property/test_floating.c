/* Bodies in liquids: the same bits on any number of threads and after a resume; what one gains the other loses; where
   nothing acts nothing moves. */
#include "support/floats.h"

/* A tank with a light ball, a heavy box and a middling one on a hinge. */
static const fr_scene_def *tank(floats *f, fr_liquid_surface surface, int dims)
{
    const double size[3] = {1, 0.8, 0.6}, z = dims == 3 ? 0.3 : 0;
    fr_scene_def *def = floats_make(f, surface, dims, size, dims == 3 ? 20 : 32);
    f->pool.liquid = pools_below(0.4);
    def->time = (fr_time_def){.duration = 0.5, .fps = 20};
    floats_add(f, floats_ball(0.1), (double[3]){0.25, 0.3, z}, 200);
    floats_add(f, floats_box(0.2, 0.15, 0.2), (double[3]){0.75, 0.55, z}, 3000)->spin[2] = 3;
    floats_add(f, floats_box(0.3, 0.08, 0.2), (double[3]){0.5, 0.35, z}, 700);
    f->joints[0] = fr_default_joint(FR_JOINT_HINGE);
    f->joints[0].bodies[0] = 2;
    memcpy(f->joints[0].at, (double[3]){0.4, 0.35, z}, sizeof f->joints[0].at);
    def->joint_count = 1;
    return def;
}

static void test_same_bits(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++)
        for (int dims = 2; dims <= 3; dims++) {
            floats f;
            const fr_scene_def *def = tank(&f, pools_trackers[t].surface, dims);
            if (floats_run_hash(def, 1, 4) != floats_run_hash(def, 3, 4))
                fail_msg("%s in %dD has other bits on three threads", pools_trackers[t].name, dims);
        }
}

static void test_resume(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++)
        for (int dims = 2; dims <= 3; dims++) {
            floats f;
            const fr_scene_def *def = tank(&f, pools_trackers[t].surface, dims);
            fr_world *whole = worlds_create(def), *second = worlds_create(def);
            const fr_block *blocks;
            int count;
            for (int i = 0; i < 5; i++)
                assert_ok(fr_world_step(whole, NULL));
            assert_ok(fr_world_snapshot(whole, &blocks, &count));
            assert_ok(fr_world_restore(second, blocks, count));
            for (int frame = 0; frame < 3; frame++) {
                assert_ok(fr_world_step_frame(whole));
                assert_ok(fr_world_step_frame(second));
            }
            if (floats_hash(whole) != floats_hash(second))
                fail_msg("%s in %dD goes on with other bits", pools_trackers[t].name, dims);
            assert_near(worlds_ledger(whole, "bodies_lost"), worlds_ledger(second, "bodies_lost"), 0);
            fr_world_destroy(whole);
            fr_world_destroy(second);
        }
}

/* A ball flies into a blob at rest, far from all walls and without weight. */
static double momentum_lost(fr_liquid_surface surface, int dims, double density)
{
    floats f;
    const double size[3] = {2, 2, 2};
    fr_scene_def *def = floats_make(&f, surface, dims, size, dims == 3 ? 32 : 64);
    f.pool.liquid = floats_ball(0.45);
    for (int a = 0; a < 3; a++)
        f.pool.fill.shape.at[a] = a < dims ? 1 : 0;
    def->gravity[1] = 0;
    def->time = (fr_time_def){.duration = 1, .fps = 20};
    floats_add(&f, floats_ball(0.15), (double[3]){1, 1, dims == 3 ? 1 : 0}, density)->velocity[0] = 0.5;
    fr_world *world = worlds_create(def);
    double first = worlds_ledger(world, "momentum_x") + worlds_ledger(world, "bodies_momentum_x"), worst = 0;
    for (int frame = 0; frame < 20; frame++) {
        assert_ok(fr_world_step_frame(world));
        const double now = worlds_ledger(world, "momentum_x") + worlds_ledger(world, "bodies_momentum_x");
        worst = fmax(worst, fabs(now - first) / fabs(first));
    }
    fr_world_destroy(world);
    return worst;
}

static void test_momentum(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++)
        for (int i = 0; i < 2; i++) {
            const bool parcels =
                pools_trackers[t].surface == FR_LIQUID_FLIP || pools_trackers[t].surface == FR_LIQUID_APIC;
            const double lost = momentum_lost(pools_trackers[t].surface, 2, i ? 300 : 4000);
            print_message("%s, density %d: momentum is off by %.2e\n", pools_trackers[t].name, i ? 300 : 4000, lost);
            assert_below(lost, parcels ? 1e-3 : 1e-2);
        }
}

/* A ball and a tilted box of the density of water, deep in it and askew to the cells, stay where they are, to what the
   pressure is solved to: what they cover adds up to their volume. */
static void test_neutral(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++)
        for (int dims = 2; dims <= 3; dims++) {
            floats f;
            const double size[3] = {1, 1, 1}, z = dims == 3 ? 0.5 : 0;
            double worst = 0;
            fr_scene_def *def = floats_make(&f, pools_trackers[t].surface, dims, size, dims == 3 ? 24 : 32);
            f.pool.liquid = pools_below(0.82);
            def->time = (fr_time_def){.duration = 0.05, .fps = 20};
            floats_add(&f, floats_ball(0.12), (double[3]){0.27, 0.47, z}, 1000);
            fr_body_def *box = floats_add(&f, floats_box(0.3, 0.16, 0.2), (double[3]){0.68, 0.42, z}, 1000);
            box->shape.degrees = 25;
            fr_world *world = worlds_create(def);
            assert_ok(fr_world_step_frame(world));
            for (int b = 0; b < 2; b++)
                for (int a = 0; a < dims; a++)
                    worst = fmax(worst, fabs(floats_body(world, b)->velocity[a]) / 0.05 / 9.81);
            print_message("%s, %dD: a neutral body moves by %.1e g\n", pools_trackers[t].name, dims, worst);
            assert_below(worst, 2e-5);
            fr_world_destroy(world);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_neutral),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
