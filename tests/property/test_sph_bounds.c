/* Walls and obstacles of SPH liquids, for every boundary model: no particle passes or is lost, and forces are equal and
   opposite. */
#include "support/tanks.h"
#include "support/runs.h"

static const char *const names[] = {"particles", "collide", "lennard_jones"};
enum { BOUNDARIES = 3 };

static const double GRAVITY = 98;   /* m/s², ten times the earth's */

/* With the scene's gravity, which stays, it adds up to one that turns round. */
static fr_result turn_gravity(void *context, const double *args, double *out)
{
    (void)context;
    double angle = 5 * args[3];
    out[0] = GRAVITY * sin(angle);
    out[1] = GRAVITY * (1 - cos(angle));
    out[2] = 0.5 * GRAVITY * sin(3 * angle);
    return FR_OK;
}

static void check_shaken_box(int dims, fr_sph_boundary boundary, double seconds)
{
    static const double size[3] = {1, 1, 0.5}, filled[3] = {0.5, 0.6, 0.5};
    tank t;
    tank_make(&t, dims, size, filled, dims == 3 ? 0.1 : 0.05);
    t.def.sph.boundary = boundary;
    t.def.time.fps = 20;
    tank_add_obstacle(&t, tank_box(dims, (double[3]){0.6, 0.3, 0}, (double[3]){0.7, 0.6, 0.5}));
    t.def.gravity[1] = -GRAVITY;
    t.force.value.function = turn_gravity;
    t.def.forces = &t.force;
    t.def.force_count = 1;
    fr_world *world = worlds_create(&t.def);
    double start = worlds_ledger(world, "particles"), fastest = 0;
    while (fr_world_time(world) < seconds) {
        assert_ok(fr_world_step_frame(world));
        assert_true(tank_holds(fr_world_frame(world), size));
        fastest = fmax(fastest, worlds_ledger(world, "max_speed"));
    }
    assert_true(fastest > 5);
    assert_near(worlds_ledger(world, "particles"), start, 0);
    assert_near(worlds_ledger(world, "particles_lost") + worlds_ledger(world, "particles_left"), 0, 0);
    fr_world_destroy(world);
}

static void test_no_particle_leaves_a_closed_box(void **state)
{
    (void)state;
    for (int boundary = 0; boundary < BOUNDARIES; boundary++) {
        check_shaken_box(2, boundary, 60);
        check_shaken_box(3, boundary, 1);
    }
}

/* A plate a third of a spacing thick from side to side, with liquid that is thrown against it. */
static void check_thin_plate(int dims, fr_sph_boundary boundary)
{
    tank t;
    tank_make(&t, dims, (double[3]){1, 1, 0.3}, (double[3]){0.3, 0.6, 0.3}, dims == 3 ? 0.06 : 0.04);
    t.def.sph.boundary = boundary;
    tank_add_obstacle(&t, tank_box(dims, (double[3]){0.5, -1, -1}, (double[3]){0.512, 2, 2}));
    t.fill.velocity.value[0] = 5;
    fr_world *world = worlds_create(&t.def);
    tank_run(world, 0.2);
    const fr_frame *frame = fr_world_frame(world);
    for (int64_t n = 0; n < frame->particle_count; n++)
        if (!(frame->particles.data[n * frame->particles.stride] <= 0.5))
            fail_msg("%s, %dD: a particle is at x = %g", names[boundary], dims,
                     frame->particles.data[n * frame->particles.stride]);
    fr_world_destroy(world);
}

static void test_nothing_passes_a_thin_plate(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int boundary = 0; boundary < BOUNDARIES; boundary++)
            check_thin_plate(dims, boundary);
}

static fr_result dash(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 1.5 - 0.5 * cos(8 * args[0]);
    out[1] = 0.3;
    return FR_OK;
}

/* A ball that is driven through the liquid at up to 4 m/s. */
static void test_no_particle_stays_in_a_moving_ball(void **state)
{
    (void)state;
    for (int boundary = 0; boundary < BOUNDARIES; boundary++) {
        tank t;
        tank_make(&t, 2, (double[3]){2.5, 1, 0}, (double[3]){2.5, 0.5, 0}, 0.04);
        t.def.sph.boundary = boundary;
        fr_shape_def ball = fr_default_shape(FR_SHAPE_SPHERE);
        ball.radius = 0.15;
        tank_add_obstacle(&t, ball);
        t.obstacle.path = dash;
        fr_world *world = worlds_create(&t.def);
        while (fr_world_time(world) < 0.8) {
            assert_ok(fr_world_step(world, NULL));
            double where[3] = {0}, now = fr_world_time(world);
            dash(NULL, &now, where);
            const fr_frame *frame = fr_world_frame(world);
            for (int64_t n = 0; n < frame->particle_count; n++) {
                const float *x = frame->particles.data + n * frame->particles.stride;
                if (!(hypot(x[0] - where[0], x[1] - where[1]) > 0.15))
                    fail_msg("%s: a particle is in the ball at t = %g s", names[boundary], now);
            }
        }
        fr_world_destroy(world);
    }
}

/* In every step: what gravity gives to the liquid and what it gives to all bodies add up to the change of its
   momentum. */
static void check_balance(int dims, fr_sph_boundary boundary)
{
    tank t;
    tank_make(&t, dims, (double[3]){1, 1, 0.4}, (double[3]){0.4, 0.6, 0.4}, dims == 3 ? 0.1 : 0.05);
    t.def.sph.boundary = boundary;
    tank_add_obstacle(&t, tank_box(dims, (double[3]){0.5, 0, 0}, (double[3]){0.6, 0.2, 0.4}));
    t.fill.velocity.value[0] = 1;
    fr_world *world = worlds_create(&t.def);
    for (int step = 0; step < 60; step++) {
        static const char *const columns[] = {"momentum_x", "momentum_y", "momentum_z"};
        double before[3], mass = 1000 * worlds_ledger(world, "volume");
        for (int a = 0; a < dims; a++)
            before[a] = worlds_ledger(world, columns[a]);
        fr_step_report report;
        assert_ok(fr_world_step(world, &report));
        for (int a = 0; a < dims; a++) {
            double force = mass * t.def.gravity[a];
            for (int b = 0; b < sph_of(world)->model->body_count; b++)
                force -= sph_of(world)->state->loads[b].force[a];
            double change = (worlds_ledger(world, columns[a]) - before[a]) / report.dt;
            assert_near(change, force, 1e-5 * mass * 9.81);
        }
    }
    fr_world_destroy(world);
}

static void test_forces_on_liquid_and_bodies_are_equal_and_opposite(void **state)
{
    (void)state;
    for (int boundary = 0; boundary < BOUNDARIES; boundary++)
        for (int dims = 2; dims <= 3; dims++)
            check_balance(dims, boundary);
}

/* Archimedes: a box under water is lifted by the weight of the water that it takes the place of. In short and equal
   steps, which stir the liquid least. */
static void test_a_box_under_water_is_lifted(void **state)
{
    (void)state;
    tank t;
    tank_make(&t, 2, (double[3]){1, 1, 0}, (double[3]){1, 0.7, 0}, 0.02);
    tank_add_obstacle(&t, tank_box(2, (double[3]){0.4, 0.2, 0}, (double[3]){0.6, 0.4, 0}));
    t.def.time.dt = 0.002;
    t.def.time.fps = 20;
    fr_world *world = worlds_create(&t.def);
    double sum[3] = {0, 0, 0}, time = 0;
    tank_run(world, 0.3);
    while (fr_world_time(world) < 1.3) {
        fr_step_report report;
        assert_ok(fr_world_step(world, &report));
        for (int a = 0; a < 2; a++)
            sum[a] += report.dt * sph_of(world)->state->loads[0].force[a];
        time += report.dt;
    }
    double weight = 1000 * 9.81 * 0.04;
    print_message("lift over weight %.4f\n", sum[1] / time / weight);
    assert_near(sum[1] / time, weight, 0.02 * weight);
    assert_near(sum[0] / time, 0, 0.02 * weight);
    fr_world_destroy(world);
}

/* A uniform flow that goes round stays one, to the density of every particle. In few and equal steps: what the solver
   leaves alone makes particles stray in the end. */
static void test_periodic_sides_are_not_felt(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        double size[3] = {0.5, 0.4, 0.3};
        tank t;
        tank_make(&t, dims, size, size, 0.05);
        for (int side = 0; side < FR_SIDES; side++)
            t.def.walls[side].kind = FR_WALL_PERIODIC;
        memset(t.def.gravity, 0, sizeof t.def.gravity);
        t.def.time.dt = 1 / (t.def.time.fps = 100);
        const double velocity[3] = {3, -2, dims == 3 ? 1.5 : 0};
        memcpy(t.fill.velocity.value, velocity, sizeof velocity);
        fr_world *world = worlds_create(&t.def);
        double start = worlds_ledger(world, "particles");
        tank_run(world, 0.25);
        const fr_frame *frame = fr_world_frame(world);
        assert_near((double)frame->particle_count, start, 0);
        assert_true(tank_holds(frame, size));
        for (int64_t n = 0; n < frame->particle_count; n++) {
            assert_near(frame->attributes[0].data[n], 1000, 0.05);
            for (int a = 0; a < dims; a++)
                assert_near(frame->particle_velocity.data[n * frame->particle_velocity.stride + a], velocity[a], 1e-3);
        }
        fr_world_destroy(world);
    }
}

/* One particle, alone in its box, without gravity. */
static void make_drop(tank *t, fr_sph_boundary boundary, const double velocity[3])
{
    tank_make(t, 2, (double[3]){1, 1, 0}, (double[3]){0.5, 0.5, 0}, 0.05);
    t->liquid = tank_box(2, (double[3]){0.5, 0.5, 0}, (double[3]){0.55, 0.55, 0});
    t->def.sph.boundary = boundary;
    memset(t->def.gravity, 0, sizeof t->def.gravity);
    memcpy(t->fill.velocity.value, velocity, sizeof t->fill.velocity.value);
}

/* Off a wall the speed across it is kept as told for its axis, that along it wholly. */
static void test_particles_bounce_as_told(void **state)
{
    (void)state;
    tank t;
    make_drop(&t, FR_SPH_COLLIDE, (double[3]){3, -2, 0});
    t.def.sph.restitution[0] = 0.8;
    t.def.sph.restitution[1] = 0.64;
    fr_world *world = worlds_create(&t.def);
    double speed[2] = {3, 2};
    for (int step = 0; step < 200; step++) {
        float before[2], after[2];
        fr_step_report report;
        const fr_frame *frame = fr_world_frame(world);
        memcpy(before, frame->particles.data, sizeof before);
        assert_ok(fr_world_step(world, &report));
        frame = fr_world_frame(world);
        memcpy(after, frame->particles.data, sizeof after);
        for (int a = 0; a < 2; a++) {
            bool met = after[a] < 0.0253 || after[a] > 0.9747;
            double v = frame->particle_velocity.data[a], way = (after[a] - before[a]) / report.dt;
            if (met && fabs(v - way) > 1e-3)
                speed[a] = fabs(way) * t.def.sph.restitution[a];
            assert_near(fabs(v), speed[a], 1e-3);
        }
    }
    assert_true(speed[0] < 3 && speed[1] < 2);
    fr_world_destroy(world);
}

/* Steps of five times the plate's thickness, and no gap. */
static void test_a_fast_particle_does_not_jump_over_a_plate(void **state)
{
    (void)state;
    tank t;
    make_drop(&t, FR_SPH_COLLIDE, (double[3]){4, 1, 0});
    t.def.gravity[1] = -9.81;
    t.def.sph.gap = 0;
    t.def.time.dt = 0.0125;
    tank_add_obstacle(&t, tank_box(2, (double[3]){0.7, -1, 0}, (double[3]){0.71, 2, 0}));
    fr_world *world = worlds_create(&t.def);
    while (fr_world_time(world) < 1) {
        assert_ok(fr_world_step(world, NULL));
        assert_below(fr_world_frame(world)->particles.data[0], 0.7);
    }
    fr_world_destroy(world);
}

static fr_result approach(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 0.3 + args[0];
    out[1] = 0.5;
    return FR_OK;
}

/* A plate comes at 1 m/s upon a particle at rest: without a bounce it goes along with it. */
static void test_a_moving_plate_takes_particles_along(void **state)
{
    (void)state;
    tank t;
    tank_make(&t, 2, (double[3]){1, 1, 0}, (double[3]){0, 0, 0}, 0.05);
    t.liquid = tank_box(2, (double[3]){0.5, 0.5, 0}, (double[3]){0.55, 0.55, 0});
    t.def.sph.boundary = FR_SPH_COLLIDE;
    memset(t.def.sph.restitution, 0, sizeof t.def.sph.restitution);
    memset(t.def.gravity, 0, sizeof t.def.gravity);
    tank_add_obstacle(&t, tank_box(2, (double[3]){-0.01, -0.3, 0}, (double[3]){0.01, 0.3, 0}));
    t.obstacle.path = approach;
    fr_world *world = worlds_create(&t.def);
    tank_run(world, 0.4);
    const fr_frame *frame = fr_world_frame(world);
    assert_near(frame->particle_velocity.data[0], 1, 1e-3);
    assert_near(frame->particles.data[0], 0.3 + fr_world_time(world) + 0.01 + 0.025, 1e-3);
    fr_world_destroy(world);
}

/* A wall that repels gives back the speed it took. */
static void test_walls_that_repel_keep_the_energy(void **state)
{
    (void)state;
    tank t;
    make_drop(&t, FR_SPH_LENNARD_JONES, (double[3]){0, -3, 0});
    fr_world *world = worlds_create(&t.def);
    tank_run(world, 0.4);
    const fr_frame *frame = fr_world_frame(world);
    assert_near(frame->particle_velocity.data[1], 3, 0.1);
    assert_near(frame->particle_velocity.data[0], 0, 0.1);
    fr_world_destroy(world);
}

/* Loads are sums over all particles, which threads share. */
static void test_loads_do_not_depend_on_threads(void **state)
{
    (void)state;
    for (int boundary = 0; boundary < BOUNDARIES; boundary++) {
        double force[2][2];
        uint64_t hash[2];
        for (int run = 0; run < 2; run++) {
            tank t;
            tank_make(&t, 2, (double[3]){1, 1, 0}, (double[3]){0.5, 0.7, 0}, 0.02);
            t.def.sph.boundary = boundary;
            tank_add_obstacle(&t, tank_box(2, (double[3]){0.6, 0, 0}, (double[3]){0.7, 0.2, 0}));
            t.fill.velocity.value[0] = 3;
            fr_set_threads(run == 0 ? 1 : 3);
            fr_world *world = worlds_create(&t.def);
            for (int i = 0; i < 60; i++)
                assert_ok(fr_world_step(world, NULL));
            hash[run] = worlds_hash(world);
            memcpy(force[run], fr_world_frame(world)->obstacles[0].force, sizeof force[run]);
            fr_world_destroy(world);
        }
        assert_true(hash[0] == hash[1]);
        assert_memory_equal(force[0], force[1], sizeof force[0]);
        assert_true(fabs(force[0][0]) > 10);
    }
    fr_set_threads(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_particle_leaves_a_closed_box),
        cmocka_unit_test(test_nothing_passes_a_thin_plate),
        cmocka_unit_test(test_no_particle_stays_in_a_moving_ball),
        cmocka_unit_test(test_forces_on_liquid_and_bodies_are_equal_and_opposite),
        cmocka_unit_test(test_a_box_under_water_is_lifted),
        cmocka_unit_test(test_periodic_sides_are_not_felt),
        cmocka_unit_test(test_particles_bounce_as_told),
        cmocka_unit_test(test_a_fast_particle_does_not_jump_over_a_plate),
        cmocka_unit_test(test_a_moving_plate_takes_particles_along),
        cmocka_unit_test(test_walls_that_repel_keep_the_energy),
        cmocka_unit_test(test_loads_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
