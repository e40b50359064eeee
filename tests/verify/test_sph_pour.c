/* Sources and sinks of a particle liquid: what comes out is area × speed, what goes is counted, and a run goes on with
 * the same bits. */
#include "support/tanks.h"

static const double PI = 3.14159265358979323846;
static const double SIZE[3] = {2, 1, 1}, NONE[3] = {0.05, 0.05, 0.05};

/* An empty box without gravity, into which a nozzle of some shape pours for half a second. */
static double poured_volume(int dims, fr_shape_def shape, const double velocity[3], double spacing, double seconds)
{
    tank t;
    tank_make(&t, dims, SIZE, NONE, spacing);
    tank_add_source(&t, shape, 0.4, 0.5, dims == 3 ? 0.5 : 0);
    memcpy(t.source.velocity.value, velocity, sizeof t.source.velocity.value);
    memset(t.def.gravity, 0, sizeof t.def.gravity);
    t.def.fill_count = 0;
    fr_world *world = worlds_create(&t.def);
    tank_run(world, seconds);
    double volume = worlds_ledger(world, "volume") * (seconds / fr_world_time(world));
    assert_near(worlds_ledger(world, "particles_left"), 0, 0);
    assert_below(worlds_ledger(world, "density_error_max"), 0.02);
    fr_world_destroy(world);
    return volume;
}

static fr_shape_def ball(double radius)
{
    fr_shape_def shape = fr_default_shape(FR_SHAPE_SPHERE);
    shape.radius = radius;
    return shape;
}

/* Half a layer at the end is what counting in whole layers can miss. */
static void test_what_comes_out_is_area_times_speed(void **state)
{
    (void)state;
    fr_shape_def slot = tank_box(2, (double[3]){-0.1, -0.1, 0}, (double[3]){0.1, 0.1, 0});
    assert_near(poured_volume(2, slot, (double[3]){2, 0, 0}, 0.02, 0.5), 0.2, 0.03 * 0.2);
    assert_near(poured_volume(2, slot, (double[3]){2, 0, 0}, 0.027, 0.5), 0.2, 0.03 * 0.2);
    double slant = sqrt(2) * 0.2;   /* across the diagonal of the same square */
    assert_near(poured_volume(2, slot, (double[3]){1, 1, 0}, 0.02, 0.5), slant * sqrt(2) * 0.5,
                0.03 * slant * sqrt(2) * 0.5);
    assert_near(poured_volume(2, ball(0.11), (double[3]){2, 0, 0}, 0.02, 0.5), 0.22, 0.03 * 0.22);
    assert_near(poured_volume(3, ball(0.11), (double[3]){0, 0, 1}, 0.04, 0.4), 0.4 * PI * 0.0121,
                0.04 * 0.4 * PI * 0.0121);
}

static fr_result swell(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 1 + sin(4 * args[3]);
    out[1] = 0;
    out[2] = 0;
    return FR_OK;
}

/* ∫ (1 + sin 4t) from 0.25 to 0.75. */
static void test_the_speed_may_vary_and_the_source_may_rest(void **state)
{
    (void)state;
    tank t;
    tank_make(&t, 2, SIZE, NONE, 0.02);
    tank_add_source(&t, tank_box(2, (double[3]){-0.1, -0.1, 0}, (double[3]){0.1, 0.1, 0}), 0.4, 0.5, 0);
    t.source.velocity.function = swell;
    t.source.from = 0.25;
    t.source.to = 0.75;
    memset(t.def.gravity, 0, sizeof t.def.gravity);
    fr_world *world = worlds_create(&t.def);
    double before = worlds_ledger(world, "volume"), flown = 0.5 + (cos(1) - cos(3)) / 4;
    tank_run(world, 0.25);
    assert_near(worlds_ledger(world, "volume"), before, 0);
    tank_run(world, 1);
    assert_near(worlds_ledger(world, "volume") - before, 0.2 * flown, 0.03 * 0.2 * flown);
    fr_estimate estimate;
    t.def.time.duration = 1;
    assert_ok(fr_scene_estimate(&t.def, &estimate));
    assert_near(estimate.particles * 4e-4, before + 0.2 * flown, 0.02);
    fr_world_destroy(world);
}

/* A jet falls into a tank that is drained: what is there is what was there, what came, and what did not go. */
static void make_fountain(tank *t, int dims, double spacing)
{
    tank_make(t, dims, SIZE, (double[3]){2, 0.2, 1}, spacing);
    tank_add_source(t, ball(0.1), 0.3, 0.7, dims == 3 ? 0.5 : 0);
    t->source.velocity.value[0] = 1;
    tank_add_sink(t, tank_box(dims, (double[3]){1.7, 0, 0}, (double[3]){2, 0.1, 1}));
    t->sink.from = 0.1;
    tank_add_obstacle(t, ball(0.12));
    t->obstacle.shape.at[0] = 0.8;
    t->obstacle.shape.at[1] = 0.4;
    t->obstacle.shape.at[2] = dims == 3 ? 0.5 : 0;
}

static void test_a_jet_into_a_tank_with_a_drain(void **state)
{
    (void)state;
    tank t;
    make_fountain(&t, 2, 0.03);
    fr_world *world = worlds_create(&t.def);
    double start = worlds_ledger(world, "particles");
    tank_run(world, 1.5);
    double left = worlds_ledger(world, "particles_left"), came = worlds_ledger(world, "particles") + left - start;
    assert_near(came * 0.03 * 0.03, 0.2 * 1.5, 0.03 * 0.2 * 1.5);
    assert_true(left > 100);
    assert_near(worlds_ledger(world, "particles_lost"), 0, 0);
    assert_true(tank_holds(fr_world_frame(world), SIZE));
    fr_world_destroy(world);
}

/* Saved in the middle of pouring, beside walls that the liquid sticks to; one thread and three. */
static void test_pouring_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        tank t;
        make_fountain(&t, dims, dims == 3 ? 0.07 : 0.04);
        t.def.walls[FR_BOTTOM].kind = FR_WALL_NO_SLIP;
        t.def.fluid.viscosity = 1e-4;
        fr_set_threads(1);
        fr_world *first = worlds_create(&t.def), *second = worlds_create(&t.def);
        const fr_block *blocks;
        int count;
        for (int i = 0; i < 25; i++)
            assert_ok(fr_world_step(first, NULL));
        assert_true(worlds_ledger(first, "particles") != worlds_ledger(second, "particles"));
        assert_ok(fr_world_snapshot(first, &blocks, &count));
        assert_ok(fr_world_restore(second, blocks, count));
        fr_set_threads(3);
        for (int i = 0; i < 40; i++) {
            assert_ok(fr_world_step(first, NULL));
            assert_ok(fr_world_step(second, NULL));
        }
        assert_true(worlds_hash(first) == worlds_hash(second));
        fr_world *whole = worlds_create(&t.def);
        for (int i = 0; i < 65; i++)
            assert_ok(fr_world_step(whole, NULL));
        assert_true(worlds_hash(first) == worlds_hash(whole));
        assert_near(worlds_ledger(first, "particles_left"), worlds_ledger(second, "particles_left"), 0);
        fr_world_destroy(first);
        fr_world_destroy(second);
        fr_world_destroy(whole);
    }
    fr_set_threads(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_comes_out_is_area_times_speed),
        cmocka_unit_test(test_the_speed_may_vary_and_the_source_may_rest),
        cmocka_unit_test(test_a_jet_into_a_tank_with_a_drain),
        cmocka_unit_test(test_pouring_goes_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
