/* Bodies that touch nothing: parabolas, tumbling, drift, and bodies that appear. */
#include "scene.h"

#include <stdio.h>

/* Exactly x + v t + a t²/2, in however many steps. */
static void test_parabola(void **state)
{
    (void)state;
    for (int steps = 1; steps <= 64; steps *= 8) {
        scene *s = scene_new(3, 0.05);
        fr_body_def *b = scene_add(s, scene_box(0.1, 0.2, 0.3), 0, 10, 0);
        b->force.value[0] = 3;
        memcpy(b->velocity, (double[3]){1, 5, -2}, sizeof b->velocity);
        memcpy(b->spin, (double[3]){3, -1, 2}, sizeof b->spin);
        scene_begin(s);
        const double m = rigid_body_mass(s->world, 0)->mass, t = 1.3;
        for (int n = 0; n < steps; n++)
            scene_step(s, t * n / steps, t * (n + 1) / steps);
        const rigid_state q = scene_state(s, 0);
        assert_true(fabs(q.position[0] - (t + 1.5 / m * t * t)) < 1e-12);
        assert_true(fabs(q.position[1] - (10 + 5 * t - 4.905 * t * t)) < 1e-12);
        assert_true(fabs(q.position[2] + 2 * t) < 1e-12);
        assert_true(fabs(q.velocity[1] - (5 - 9.81 * t)) < 1e-12);
        scene_end(s);
    }
}

static vec3 momentum(const scene *s)
{
    const rigid_state q = scene_state(s, 0);
    const rigid_mass *m = rigid_body_mass(s->world, 0);
    double turn[3][3], own[3] = {0}, in[3] = {0}, out[3] = {0};
    quaternion_matrix(q.rotation, turn);
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 3; k++)
            own[a] += turn[k][a] * q.spin[k];
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 3; k++)
            in[a] += m->inertia[a][k] * own[k];
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 3; k++)
            out[a] += turn[a][k] * in[k];
    return vec3_of(out);
}

/* About the middle axis, which is unstable: a minute of somersaults. */
static void test_tumbling(void **state)
{
    (void)state;
    scene *s = scene_new(3, 0.05);
    fr_body_def *b = scene_add(s, scene_box(0.1, 0.2, 0.3), 0, 2, 0);
    memset(s->setup.gravity, 0, sizeof s->setup.gravity);
    memcpy(b->spin, (double[3]){0.02, 12, -0.01}, sizeof b->spin);
    scene_begin(s);
    const vec3 first = momentum(s);
    const double energy = scene_energy(s);
    double off = 0, gained = 0, turned = 0;
    for (int n = 0; n < 3600; n++) {
        scene_step(s, n / 60.0, (n + 1) / 60.0);
        off = fmax(off, vec3_length(vec3_sub(momentum(s), first)) / vec3_length(first));
        gained = fmax(gained, fabs(scene_energy(s) / energy - 1));
        turned = fmax(turned, -scene_state(s, 0).spin[1]);
    }
    print_message("tumbling: momentum %.2e, energy %.2e, least spin %g\n", off, gained, -turned);
    assert_true(off < 1e-9 && gained < 1e-9);
    scene_end(s);
}

/* A top with its symmetry axis tilted turns about its angular momentum at L/I, whatever the step. */
static void test_top(void **state)
{
    (void)state;
    scene *s = scene_new(3, 0.05);
    fr_body_def *b =
        scene_add(s, (fr_shape_def){.kind = FR_SHAPE_CYLINDER, .radius = 0.2, .height = 0.1, .axis = 1}, 0, 2, 0);
    memcpy(b->spin, (double[3]){0.5, 3, 0}, sizeof b->spin);
    scene_begin(s);
    const rigid_mass *m = rigid_body_mass(s->world, 0);
    const vec3 l = momentum(s);
    const rigid_state from = scene_state(s, 0);
    const double round = 2 * FR_PI * m->inertia[0][0] / vec3_length(l);
    const rigid_state whole = rigid_drift(s->world, 0, &from, round),
                      part = rigid_drift(s->world, 0, &from, 0.3 * round);
    double axis[3][3];
    quaternion_matrix(whole.rotation, axis);
    print_message("top: axis after a turn (%.2e, %.12f, %.2e)\n", axis[0][1], axis[1][1], axis[2][1]);
    assert_true(fabs(axis[0][1]) < 1e-9 && fabs(axis[2][1]) < 1e-9);
    quaternion_matrix(part.rotation, axis);
    assert_true(fabs(axis[0][1]) > 1e-3);
    scene_end(s);
}

static void test_plane(void **state)
{
    (void)state;
    scene *s = scene_new(2, 0.05);
    s->setup.wall[FR_BOTTOM] = s->setup.wall[FR_LEFT] = s->setup.wall[FR_RIGHT] = true;
    for (int b = 0; b < 12; b++) {
        fr_body_def *def = scene_add(s, b % 2 ? scene_box(0.3, 0.2, 1) : scene_ball(0.15), 0.35 * (b % 4) - 0.5,
                                     0.5 + 0.4 * (b / 4), 0);
        def->spin[2] = 3 - b;
        def->spin[0] = def->velocity[2] = def->force.value[2] = def->torque.value[1] = 1;
        def->velocity[0] = 1;
    }
    scene_begin(s);
    for (int n = 0; n < 120; n++) {
        scene_step(s, n / 60.0, (n + 1) / 60.0);
        for (int b = 0; b < 12; b++) {
            const rigid_state q = scene_state(s, b);
            assert_true(q.position[2] == 0 && q.velocity[2] == 0 && q.spin[0] == 0 && q.spin[1] == 0);
            assert_true(q.rotation[1] == 0 && q.rotation[2] == 0);
        }
    }
    scene_end(s);
}

/* A body that appears in the way of another one: before, that one passes; and it starts when it should, whatever the
   steps. */
static void test_appearing(void **state)
{
    (void)state;
    scene *s = scene_new(3, 0.05);
    memset(s->setup.gravity, 0, sizeof s->setup.gravity);
    scene_add(s, scene_ball(0.1), -1, 2, 0)->velocity[0] = 1;
    fr_body_def *late = scene_add(s, scene_ball(0.1), 0, 2, 0);
    late->from = 2.05;
    late->velocity[1] = 1;
    fr_body_def *never = scene_add(s, scene_box(0.1, 0.1, 0.1), -0.5, 2, 0);
    never->from = 50;
    scene_begin(s);
    for (int n = 0; n < 40; n++)
        scene_step(s, n / 10.0, (n + 1) / 10.0);
    assert_true(fabs(scene_state(s, 0).position[0] - 3) < 1e-12);
    assert_true(scene_state(s, 1).present == 1 && scene_state(s, 2).present == 0);
    assert_true(fabs(scene_state(s, 1).position[1] - 2 - (4 - 2.05)) < 1e-12);
    assert_true(scene_state(s, 2).position[0] == -0.5);
    const rigid_state there = scene_state(s, 1), absent = scene_state(s, 2);
    assert_true(rigid_inverse_of(s->world, 1, &there).mass > 0 && rigid_inverse_of(s->world, 2, &absent).mass == 0);
    scene_end(s);
}

static fr_result wild(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = args[0] > 0.5 ? NAN : 0;
    out[1] = out[2] = 0;
    return FR_OK;
}

/* No state that is not finite: the step fails in words and leaves the states as they were. */
static void test_lost(void **state)
{
    (void)state;
    scene *s = scene_new(3, 0.05);
    scene_add(s, scene_ball(0.1), 0, 2, 0);
    scene_add(s, scene_ball(0.1), 1, 2, 0)->force.function = wild;
    scene_begin(s);
    scene_step(s, 0, 0.1);
    const rigid_state before = scene_state(s, 1);
    assert_int_equal(rigid_given_loads(s->world, 0.6, s->loads), FR_ERROR_INPUT);
    assert_string_equal(fr_error_key(), "bodies[2].force");
    rigid_load loads[2] = {{{0}, {0}}, {{NAN, 0, 0}, {0}}};
    assert_int_equal(rigid_advance(s->world, 0.1, 0.2, loads), FR_ERROR_NUMERIC);
    assert_non_null(strstr(fr_error_message(), "body 2"));
    const rigid_state after = scene_state(s, 1);
    assert_memory_equal(&before, &after, sizeof before);
    scene_end(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parabola), cmocka_unit_test(test_tumbling),
                                       cmocka_unit_test(test_top),      cmocka_unit_test(test_plane),
                                       cmocka_unit_test(test_appearing), cmocka_unit_test(test_lost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
