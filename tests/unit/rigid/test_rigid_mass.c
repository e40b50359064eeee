/* Volume, mass, centre and inertia against exact ones. */
#include "scene.h"

#include <stdio.h>

static rigid_mass mass_of(const fr_body_def *def, int dims)
{
    rigid_mass m;
    if (rigid_mass_of(def, dims, "bodies[1]", &m) != FR_OK)
        fail_msg("%s", fr_error_message());
    return m;
}

static fr_body_def body_of(const fr_shape_def *shape)
{
    return (fr_body_def){.shape = {.shape = shape, .at = {3, 4, 5}}, .density = {.value = 500}};
}

static void near(const char *what, double value, double exact, double part)
{
    print_message("%s: %.6g of %.6g, %+.2e\n", what, value, exact, value / exact - 1);
    assert_true(fabs(value - exact) <= part * fabs(exact));
}

static void test_ball_and_box(void **state)
{
    (void)state;
    fr_shape_def ball = scene_ball(0.2), box = scene_box(0.2, 0.3, 0.5);
    fr_body_def a = body_of(&ball), b = body_of(&box);
    rigid_mass m = mass_of(&a, 3);
    const double volume = 4.0 / 3 * FR_PI * 0.008;
    near("ball's volume", m.volume, volume, 1e-3);
    near("ball's mass", m.mass, 500 * volume, 1e-3);
    for (int k = 0; k < 3; k++) {
        near("ball's inertia", m.inertia[k][k], 0.4 * 500 * volume * 0.04, 1e-3);
        assert_true(fabs(m.inertia[k][(k + 1) % 3]) < 1e-6 * m.inertia[0][0] && fabs(m.centre[k]) < 1e-9);
    }
    m = mass_of(&b, 3);
    near("box's volume", m.volume, 0.03, 1e-12);
    near("box's inertia", m.inertia[2][2], 15 * (0.04 + 0.09) / 12, 1e-9);
    m = mass_of(&b, 2);
    near("plate's area", m.volume, 0.06, 1e-12);
    near("plate's inertia", m.inertia[2][2], 30 * (0.04 + 0.09) / 12, 1e-9);
    m = mass_of(&a, 2);
    near("disc's inertia", m.inertia[2][2], 0.5 * 500 * FR_PI * 0.04 * 0.04, 1e-3);
    a.mass = 7;
    m = mass_of(&a, 3);
    near("given mass", m.mass, 7, 1e-12);
    near("its inertia", m.inertia[0][0], 0.4 * 7 * 0.04, 1e-3);
}

/* A turned cylinder, a hollow ball, a torus; and two balls of which one is cut off. */
static void test_composite(void **state)
{
    (void)state;
    fr_shape_def tube = {.kind = FR_SHAPE_CYLINDER, .radius = 0.1, .height = 0.4, .axis = 1};
    const fr_shape_def *inner[] = {&tube};
    fr_shape_def turned = {
        .kind = FR_SHAPE_ROTATE, .normal = {1, 2, -1}, .amount = 37, .children = inner, .child_count = 1};
    fr_body_def def = body_of(&turned);
    rigid_mass m = mass_of(&def, 3);
    const double mass = 500 * FR_PI * 0.01 * 0.4, trace = mass * (0.01 / 2 + 2 * (3 * 0.01 + 0.16) / 12);
    near("turned cylinder's mass", m.mass, mass, 1e-3);
    near("its inertia's trace", m.inertia[0][0] + m.inertia[1][1] + m.inertia[2][2], trace, 1e-3);

    fr_shape_def ball = scene_ball(0.2);
    inner[0] = &ball;
    fr_shape_def shell = {.kind = FR_SHAPE_SHELL, .amount = 0.01, .children = inner, .child_count = 1};
    def = body_of(&shell);
    m = mass_of(&def, 3);
    const double out = 0.205, in = 0.195, cubes = pow(out, 3) - pow(in, 3), fifths = pow(out, 5) - pow(in, 5);
    near("hollow ball's volume", m.volume, 4.0 / 3 * FR_PI * cubes, 2e-3);
    near("its inertia", m.inertia[1][1], 0.4 * m.mass * fifths / cubes, 2e-3);

    fr_shape_def torus = {.kind = FR_SHAPE_TORUS, .radius = 0.2, .tube = 0.05, .axis = 2};
    def = body_of(&torus);
    m = mass_of(&def, 3);
    near("torus's volume", m.volume, 2 * FR_PI * FR_PI * 0.2 * 0.0025, 1e-3);
    near("its inertia", m.inertia[2][2], m.mass * (0.04 + 0.75 * 0.0025), 2e-3);

    fr_shape_def box = {.kind = FR_SHAPE_BOX, .min = {-1, 0, -1}, .max = {1, 1, 1}};
    const fr_shape_def *parts[] = {&ball, &box};
    fr_shape_def half = {.kind = FR_SHAPE_DIFFERENCE, .children = parts, .child_count = 2};
    def = body_of(&half);
    m = mass_of(&def, 3);
    near("half a ball's volume", m.volume, 2.0 / 3 * FR_PI * 0.008, 1e-3);
    near("its centre", m.centre[1], -3.0 / 8 * 0.2, 1e-3);
}

static fr_result heavy_below(void *context, const double *at, double *out)
{
    (void)context;
    out[0] = 1000 - 2000 * at[1];
    return FR_OK;
}

static fr_result nothing(void *context, const double *at, double *out)
{
    (void)context;
    out[0] = at[0];
    return FR_OK;
}

static void test_density(void **state)
{
    (void)state;
    fr_shape_def box = scene_box(0.2, 0.4, 0.2), plane = {.kind = FR_SHAPE_PLANE, .normal = {0, 1, 0}};
    fr_body_def def = body_of(&box);
    def.density.function = heavy_below;
    const rigid_mass m = mass_of(&def, 3);
    near("mass of what is heavier below", m.mass, 16, 1e-9);
    near("its centre", m.centre[1], -2000 * 0.4 * 0.4 / 12 / 1000, 2e-3);
    rigid_mass none;
    def.density.function = nothing;
    assert_int_equal(rigid_mass_of(&def, 3, "bodies[4]", &none), FR_ERROR_INPUT);
    assert_string_equal(fr_error_key(), "bodies[4]");
    def = body_of(&plane);
    assert_int_equal(rigid_mass_of(&def, 3, "bodies[4]", &none), FR_ERROR_INPUT);
    def = body_of(&box);
    def.mass = -1;
    assert_int_equal(rigid_mass_of(&def, 3, "bodies[4]", &none), FR_ERROR_INPUT);
    const fr_shape_def *parts[] = {&box, &box};
    fr_shape_def empty = {.kind = FR_SHAPE_DIFFERENCE, .children = parts, .child_count = 2};
    def = body_of(&empty);
    assert_int_equal(rigid_mass_of(&def, 3, "bodies[4]", &none), FR_ERROR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ball_and_box), cmocka_unit_test(test_composite),
                                       cmocka_unit_test(test_density)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
