/* Invariants of SPH liquids: momentum without external forces, energy that does not grow, constant density, and mirror
   symmetry. */
#include "support/dams.h"

/* Turning, and towards a point beside the middle: the liquid has to press itself apart. */
static fr_result swirl(void *context, const double *args, double *out)
{
    (void)context;
    double x = args[0] - 1.1, y = args[1] - 0.95;
    out[0] = 0.5 - 2 * y - 3 * x;
    out[1] = 2 * x - 3 * y;
    out[2] = 0.3 * sin(4 * args[0] + args[2]);
    return FR_OK;
}

static void momentum_of(fr_world *world, double momentum[3])
{
    static const char *const columns[3] = {"momentum_x", "momentum_y", "momentum_z"};
    for (int a = 0; a < fr_world_frame(world)->dims; a++)
        momentum[a] = worlds_ledger(world, columns[a]);
}

/* A ball that swirls far from the walls, pressed together by its own motion. */
static void check_momentum(fr_sph_solver solver, int dims)
{
    dams_box box;
    dams_make(&box, solver, dims, (double[3]){2, 2, 2}, (double[3]){0}, dims == 3 ? 0.08 : 0.03);
    box.shape = fr_default_shape(FR_SHAPE_SPHERE);
    box.shape.radius = 0.4;
    for (int a = 0; a < dims; a++)
        box.fill.shape.at[a] = 1;
    box.fill.velocity.function = swirl;
    box.def.gravity[1] = 0;
    box.def.sph.sound_speed = solver == FR_SPH_WCSPH ? 20 : 0;
    box.def.time.fps = 20;
    fr_world *world = worlds_create(&box.def);
    double before[3], after[3], mass = worlds_ledger(world, "volume") * box.def.fluid.density;
    momentum_of(world, before);
    for (int frame = 0; frame < 3; frame++)
        assert_ok(fr_world_step_frame(world));
    momentum_of(world, after);
    for (int a = 0; a < dims; a++)
        assert_near(after[a], before[a], 1e-5 * mass);   /* speeds are about 1 m/s */
    fr_world_destroy(world);
}

static void test_momentum_of_a_floating_ball(void **state)
{
    (void)state;
    for (int solver = FR_SPH_DFSPH; solver <= FR_SPH_WCSPH; solver++)
        for (int dims = 2; dims <= 3; dims++)
            check_momentum((fr_sph_solver)solver, dims);
}

/* Through the first impact on the far wall, after half a second. The solver holds the mean density; that of a single
   particle it holds only as long as nothing strikes a wall. */
static void check_dam(int dims, int along)
{
    dams_box box;
    dams_fall(&box, FR_SPH_DFSPH, dims, along);
    box.def.time.fps = 20;
    fr_world *world = worlds_create(&box.def);
    double start = dams_energy(world), volume = worlds_ledger(world, "volume");
    for (int frame = 0; frame < 24; frame++) {
        assert_ok(fr_world_step_frame(world));
        assert_below(dams_energy(world), 1.005 * start);
        assert_below(worlds_ledger(world, "density_error"), 1.5 * box.def.sph.density_error);
        if (fr_world_time(world) <= 0.5)
            assert_below(worlds_ledger(world, "density_error_max"), 0.03);
    }
    assert_near(worlds_ledger(world, "volume"), volume, 0);
    assert_near(worlds_ledger(world, "particles_lost"), 0, 0);
    fr_world_destroy(world);
}

static void test_a_falling_column_keeps_energy_and_density(void **state)
{
    (void)state;
    check_dam(2, 40);
    check_dam(3, 14);
}

typedef struct column_look {
    double front, middle, height;   /* m, from the wall that the column leans on */
} column_look;

static column_look look_at(fr_world *world, double wide, bool mirrored)
{
    const fr_frame *frame = fr_world_frame(world);
    column_look look = {0};
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *at = frame->particles.data + n * frame->particles.stride;
        double x = mirrored ? wide - at[0] : at[0];
        look.front = fmax(look.front, x);
        look.middle += x / (double)frame->particle_count;
        look.height += at[1] / (double)frame->particle_count;
    }
    return look;
}

/* Particles are sorted from left to right, so the two runs differ in every bit and yet must look alike. */
static void test_left_is_as_right(void **state)
{
    (void)state;
    dams_box left, right;
    dams_fall(&left, FR_SPH_DFSPH, 2, 32);
    dams_fall(&right, FR_SPH_DFSPH, 2, 32);
    right.shape.min[0] = 2;
    right.shape.max[0] = 3;
    left.def.time.fps = right.def.time.fps = 10;
    fr_world *one = worlds_create(&left.def), *two = worlds_create(&right.def);
    assert_near(worlds_ledger(one, "particles"), worlds_ledger(two, "particles"), 0);
    for (int frame = 0; frame < 8; frame++) {
        assert_ok(fr_world_step_frame(one));
        assert_ok(fr_world_step_frame(two));
        column_look a = look_at(one, 3, false), b = look_at(two, 3, true);
        assert_near(a.front, b.front, 0.05);
        assert_near(a.middle, b.middle, 0.01);
        assert_near(a.height, b.height, 0.01);
    }
    fr_world_destroy(one);
    fr_world_destroy(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momentum_of_a_floating_ball),
        cmocka_unit_test(test_a_falling_column_keeps_energy_and_density),
        cmocka_unit_test(test_left_is_as_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
