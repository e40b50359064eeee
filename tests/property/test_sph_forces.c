/* All non-pressure forces of SPH liquids together: momentum, loads on obstacles, the same bits. */
#include "support/liquids.h"

static fr_result swirl(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 1 - 2 * args[1] + sin(7 * args[0]);
    out[1] = 2 * args[0] + 0.5 * cos(5 * args[1]);
    out[2] = 0.3 * sin(4 * args[0] + args[2]);
    return FR_OK;
}

static fr_result gusts(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 3 * sin(20 * args[3]) * args[1];
    out[1] = 2 * cos(9 * args[0]);
    out[2] = 0;
    return FR_OK;
}

static void everything(liquid *made, int dims, double viscosity)
{
    liquids_float(made, dims, dims == 2 ? 0.04 : 0.1, 0.15);
    made->def.time.fps = 20;
    made->shape = fr_default_shape(FR_SHAPE_SPHERE);
    made->shape.radius = 0.4;
    made->def.has_initial_velocity = true;
    made->def.initial_velocity.function = swirl;
    made->def.fluid.viscosity = viscosity;
    made->def.fluid.surface_tension = 5;
    made->def.sph.mu = 2;
    made->def.sph.lambda = 1;
    made->def.sph.vorticity = 0.3;
    made->def.sph.xsph = 0.2;
}

/* Nothing acts from outside. */
static void test_momentum_of_a_floating_body(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int i = 0; i < 3; i++) {
            static const double viscosity[] = {0.001, 0.5, 1000};
            liquid made;
            everything(&made, dims, viscosity[i]);
            fr_world *world = worlds_create(&made.def);
            liquid_sums before = liquids_sum(world);
            for (int f = 0; f < 3; f++)
                assert_ok(fr_world_step_frame(world));
            liquid_sums after = liquids_sum(world);
            for (int a = 0; a < dims; a++)
                assert_near(after.momentum[a], before.momentum[a], 1e-5 * before.speed);
            fr_world_destroy(world);
        }
}

/* With walls and forces that are functions, in a box. */
static void boxed(liquid *made, int dims, fr_obstacle_def *obstacle)
{
    everything(made, dims, 0.5);
    made->force = (fr_force_def){.value.function = gusts};
    made->def.forces = &made->force;
    made->def.force_count = 1;
    made->def.gravity[1] = -9.81;
    for (int side = 0; side < FR_SIDES; side++)
        made->def.walls[side].kind = side % 2 ? FR_WALL_NO_SLIP : FR_WALL_FREE_SLIP;
    obstacle->shape = (fr_placed_shape){.shape = &made->shape, .at = {0.1, -0.75, 0}};
    obstacle->no_slip = true;
    made->def.obstacles = obstacle;
    made->def.obstacle_count = 1;
}

static void test_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        liquid made;
        fr_obstacle_def obstacle = {0};
        boxed(&made, dims, &obstacle);
        assert_true(worlds_run_hash(&made.def, 1) == worlds_run_hash(&made.def, 2));
    }
}

/* Saved after the first frame and taken up by another world, it goes on as if nothing had been. */
static void test_same_bits_after_a_stop(void **state)
{
    (void)state;
    liquid made;
    fr_obstacle_def obstacle = {0};
    boxed(&made, 2, &obstacle);
    fr_world *whole = worlds_create(&made.def), *second = worlds_create(&made.def);
    const fr_block *blocks;
    int count;
    assert_ok(fr_world_step_frame(whole));
    assert_ok(fr_world_snapshot(whole, &blocks, &count));
    assert_ok(fr_world_restore(second, blocks, count));
    for (int f = 0; f < 2; f++) {
        assert_ok(fr_world_step_frame(whole));
        assert_ok(fr_world_step_frame(second));
    }
    assert_true(worlds_hash(whole) == worlds_hash(second));
    fr_world_destroy(whole);
    fr_world_destroy(second);
}

/* Liquid that slides down a ball it sticks to: what it loses of the momentum that gravity gives is the load on the
   ball. Friction acts in one stage, in two, or is solved for. */
static void check_loads(double viscosity)
{
    liquid made;
    fr_obstacle_def obstacle = {0};
    boxed(&made, 2, &obstacle);
    made.def.fluid.viscosity = viscosity;
    made.def.force_count = 0;
    made.def.sph.vorticity = 0;
    for (int side = 0; side < FR_SIDES; side++)
        made.def.walls[side].kind = FR_WALL_OPEN;
    fr_world *world = worlds_create(&made.def);
    for (int f = 0; f < 2; f++)
        assert_ok(fr_world_step_frame(world));
    double mass = worlds_ledger(world, "volume") * made.def.fluid.density;
    liquid_sums before = liquids_sum(world);
    fr_step_report report;
    assert_ok(fr_world_step(world, &report));
    liquid_sums after = liquids_sum(world);
    const double *force = fr_world_frame(world)->obstacles[0].force;
    for (int a = 0; a < 2; a++) {
        double given = mass * (made.def.gravity[a] - (after.momentum[a] - before.momentum[a]) / report.dt);
        assert_near(force[a], given, 1e-3 * mass * 9.81);
    }
    assert_true(fabs(force[1]) > 0.01 * mass * 9.81);
    fr_world_destroy(world);
}

static void test_loads_balance(void **state)
{
    (void)state;
    static const double viscosity[] = {0.001, 0.05, 0.5};
    for (int i = 0; i < 3; i++)
        check_loads(viscosity[i]);
}

/* A force within a shape acts there alone, and bounds the step. */
static void test_force_acts_within_its_shape(void **state)
{
    (void)state;
    liquid made;
    liquids_float(&made, 2, 0.05, 0.05);
    made.shape = fr_default_shape(FR_SHAPE_BOX);
    for (int a = 0; a < 3; a++)
        made.shape.max[a] = 0.5;
    fr_shape_def half = made.shape;
    half.max[0] = 0.25;
    made.force = (fr_force_def){.shape.shape = &half, .value.value = {0, 50, 0}};
    made.def.forces = &made.force;
    made.def.force_count = 1;
    fr_world *world = worlds_create(&made.def);
    fr_step_report report;
    assert_ok(fr_world_step(world, &report));
    assert_below(50 * report.dt * report.dt, 0.4 * 0.05);
    const fr_frame *frame = fr_world_frame(world);
    for (int64_t n = 0; n < frame->particle_count; n++) {
        float x = frame->particles.data[n * frame->particles.stride],
              v = frame->particle_velocity.data[n * frame->particle_velocity.stride + 1];
        if (fabs(x - 0.25) > 0.15)
            assert_near(v, x < 0.25 ? 50 * report.dt : 0, 0.02 * 50 * report.dt);
    }
    fr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momentum_of_a_floating_body),
        cmocka_unit_test(test_same_bits_on_any_number_of_threads),
        cmocka_unit_test(test_same_bits_after_a_stop),
        cmocka_unit_test(test_loads_balance),
        cmocka_unit_test(test_force_acts_within_its_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
