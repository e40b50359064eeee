/* Probed values, and the messages where a probe has no value. */
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/liquids.h"
#include "support/rivers.h"
#include "support/runs.h"

static void expect_refusal(fr_world *world, const char *field, double x, double y, const char *words)
{
    double value;
    assert_int_equal(fr_world_probe(world, field, (double[3]){x, y, 0}, &value), FR_ERROR_INPUT);
    if (!strstr(fr_error_message(), words))
        print_message("'%s' lacks '%s'\n", fr_error_message(), words);
    assert_non_null(strstr(fr_error_message(), words));
}

static double probe(fr_world *world, const char *field, double x, double y)
{
    double value = -1;
    assert_ok(fr_world_probe(world, field, (double[3]){x, y, 0}, &value));
    return value;
}

static void test_smoke(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    fr_scalar_def ink = {.name = "ink", .has_initial = true, .initial.value = 3};
    fr_world *world;
    def.domain = (fr_domain_def){.dims = 2, .size = {1, 2}, .cells = {8, 16, 0}};
    def.scalars = &ink;
    def.scalar_count = 1;
    assert_ok(fr_world_create(&def, &world));
    assert_near(probe(world, "ink", 1, 2), 3, 1e-6);
    expect_refusal(world, "inc", 0.5, 0.5,
                   "there are u, v, speed, pressure, divergence, vorticity, density, temperature, ink");
    expect_refusal(world, "w", 0.5, 0.5, "there is no field 'w'");
    expect_refusal(world, "ink", 1.01, 0.5, "(1.01, 0.5, 0) lies outside the domain (x from 0 to 1 m)");
    expect_refusal(world, "speed", 0.5, -0.1, "y from 0 to 2 m");
    expect_refusal(world, "speed", NAN, 0.1, "outside");
    fr_world_destroy(world);
}

static void test_river(void **state)
{
    (void)state;
    rivers_ring ring = {1, 2};
    fr_scene_def def = rivers_scene(rivers_ring_map, &ring, 24, 4);
    fr_scalar_def ink = {.name = "ink", .has_initial = true, .initial.value = 3};
    fr_cells_def block = {{0, 0, 0}, {2, 1, 0}};
    fr_world *world;
    rivers_repeat(&def, 0);
    def.scalars = &ink;
    def.scalar_count = 1;
    def.river.blocks = &block;
    def.river.block_count = 1;
    assert_ok(fr_world_create(&def, &world));
    assert_near(probe(world, "ink", 0, 1.5), 3, 1e-6);
    assert_near(probe(world, "speed", 0, 1.5), 0, 1e-6);
    assert_true(isnan(probe(world, "ink", 0, 0)));        /* the land in the middle */
    assert_true(isnan(probe(world, "ink", 1.2, 0.1)));    /* an obstacle */
    expect_refusal(world, "inc", 0, 1.5, "there are u, v, speed, pressure, ink");
    expect_refusal(world, "vorticity", 0, 1.5, "there is no field 'vorticity'");
    expect_refusal(world, "ink", 0, 2.1, "outside the box around the river (y from -2 to 2 m)");
    fr_world_destroy(world);
}

static fr_result count_call(void *context, const double *args, double *out)
{
    (void)args;
    ++*(int *)context;
    out[0] = out[1] = 0;
    return FR_OK;
}

/* Half the domain full of liquid, periodic from side to side, and a wall that asks a function of the scene. */
static void make_liquid(liquid *made, int *calls)
{
    made->shape = fr_default_shape(FR_SHAPE_BOX);
    made->shape.min[0] = made->shape.min[1] = -1;
    made->shape.max[0] = 1;
    made->shape.max[1] = 0;
    liquids_float(made, 2, 0.05, 0.1);
    made->fill.velocity.value[0] = 0.5;
    made->def.walls[FR_LEFT].kind = made->def.walls[FR_RIGHT].kind = FR_WALL_PERIODIC;
    made->def.walls[FR_BOTTOM].kind = FR_WALL_NO_SLIP;
    made->def.walls[FR_BOTTOM].velocity = (fr_vector){.function = count_call, .context = calls};
}

static void test_liquid(void **state)
{
    (void)state;
    liquid made;
    int calls = 0;
    fr_world *world;
    make_liquid(&made, &calls);
    assert_ok(fr_world_create(&made.def, &world));
    assert_near(probe(world, "u", 0, -0.5), 0.5, 1e-6);
    assert_near(probe(world, "speed", -1, -0.5), 0.5, 1e-6);
    assert_near(probe(world, "density", 1, -0.5), 1000, 1);
    assert_true(isnan(probe(world, "u", 0, 0.9)));
    expect_refusal(world, "heat", 0, 0, "there are u, v, speed, density, pressure");
    expect_refusal(world, "u", 0, 1.2, "outside the domain (y from -1 to 1 m)");
    expect_refusal(world, "temperature", 0, -0.5, "temperature is there with heat");
    expect_refusal(world, "viscosity", 0, -0.5, "with heat.melt");
    expect_refusal(world, "liquid_fraction", 0, -0.5, "with heat.latent");
    fr_world_destroy(world);
}

static void test_where_fills_overlap_the_later_one_holds(void **state)
{
    (void)state;
    liquid made;
    int calls = 0;
    fr_world *world;
    make_liquid(&made, &calls);
    fr_shape_def drop = fr_default_shape(FR_SHAPE_SPHERE);
    drop.radius = 0.4;
    fr_fill_def fills[2] = {made.fill, {.shape = {.shape = &drop, .at = {0, -0.5, 0}}, .velocity.value = {-2, 0, 0}}};
    made.def.fill = fills;
    made.def.fill_count = 2;
    assert_ok(fr_world_create(&made.def, &world));
    assert_near(probe(world, "u", 0, -0.5), -2, 1e-6);
    assert_near(probe(world, "u", 0.8, -0.5), 0.5, 1e-6);
    fr_world_destroy(world);
}

/* The mean over all particles, one by one, as the probe's own sum says it. */
static double mean_pressure(fr_world *world, double x, double y)
{
    const fr_frame *frame = fr_world_frame(world);
    double sum = 0, weights = 0;
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *p = frame->particles.data + n * frame->particles.stride;
        double r = hypot(remainder(p[0] - x, 2), p[1] - y), w = kernel_value(&sph_of(world)->model->kernel, r);
        sum += w * frame->attributes[1].data[n];
        weights += w;
    }
    return sum / weights;
}

static void test_liquid_is_measured_once_a_moment(void **state)
{
    (void)state;
    liquid made;
    int calls = 0;
    fr_world *world;
    make_liquid(&made, &calls);
    made.def.gravity[1] = -9.81;
    assert_ok(fr_world_create(&made.def, &world));
    for (int frame = 0; frame < 2; frame++) {
        assert_ok(fr_world_step(world, NULL));
        double first = probe(world, "pressure", 0.3, -0.8);
        int before = calls;
        for (int i = 0; i < 20; i++)
            assert_near(probe(world, "pressure", 0.3, -0.8), first, 0);
        assert_int_equal(calls, before);
        assert_near(first, mean_pressure(world, 0.3, -0.8), 1e-9 * fabs(first));
        assert_near(probe(world, "pressure", 1, -0.8), mean_pressure(world, 1, -0.8), 1e-9 * fabs(first));
        assert_true(first > 100);
    }
    fr_world_destroy(world);
}

/* Names that are not there are a caller's bug, and end at the end of the list. */
static void test_columns_that_are_not_there(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    fr_world *world;
    int status;
    def.domain.cells[0] = 4;
    assert_ok(fr_world_create(&def, &world));
    assert_non_null(method_column(world->run, "kinetic_energy"));
    for (int which = 0; which < 2; which++) {
        pid_t child = fork();
        if (child == 0) {
            signal(SIGABRT, SIG_DFL);
            fclose(stderr);
            if (which == 0)
                method_column(world->run, "no such column");
            else
                model_scalar_index(smoke_of(world)->model, "no such scalar");
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    }
    fr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smoke),
        cmocka_unit_test(test_river),
        cmocka_unit_test(test_liquid),
        cmocka_unit_test(test_where_fills_overlap_the_later_one_holds),
        cmocka_unit_test(test_liquid_is_measured_once_a_moment),
        cmocka_unit_test(test_columns_that_are_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
