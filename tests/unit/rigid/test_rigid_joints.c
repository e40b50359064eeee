/* Joints: pendulums, sliders, limits, motors. */
#include "scene.h"

#include <stdio.h>

/* The time of the n-th passage through the lowest point, from the sign of the spin's axis component. */
typedef struct swing {
    double period, energy;    /* s; relative change */
    double apart;             /* m, between the hinge's ends at most */
} swing;

/* A rod hinged at its end, let go at a small angle. */
static swing pendulum(int dims, double frames)
{
    scene *s = scene_new(dims, 0.05);
    const double length = 1, angle = 0.1;
    fr_body_def *rod =
        scene_add(s, scene_box(0.1, length, 0.1), 0.5 * length * sin(angle), 2 - 0.5 * length * cos(angle), 0);
    rod->shape.axis[2] = 1;
    rod->shape.degrees = angle * 180 / FR_PI;
    scene_join(s, FR_JOINT_HINGE, 0, -1)->at[1] = 2;
    scene_begin(s);
    const double first = scene_energy(s), swinging = rigid_body_mass(s->world, 0)->mass * 9.81 * 0.5 * (1 - cos(angle));
    swing w = {0};
    double last = 0, begin = -1, side = 1;
    int passes = 0;
    for (int n = 0; n < 8 * frames; n++) {
        scene_step(s, n / frames, (n + 1) / frames);
        const rigid_state q = scene_state(s, 0);
        const double x = q.position[0], t = (n + 1) / frames;
        double turn[3][3];
        quaternion_matrix(q.rotation, turn);
        w.apart = fmax(w.apart, hypot(q.position[0] + 0.5 * turn[0][1], q.position[1] + 0.5 * turn[1][1] - 2));
        if (x * side < 0) {
            const double at = t - x / (x - last) / frames;
            if (begin < 0)
                begin = at;
            else
                w.period = 2 * (at - begin) / ++passes;
            side = -side;
        }
        last = x;
    }
    w.energy = (scene_energy(s) - first) / swinging;
    scene_end(s);
    return w;
}

static void test_pendulum(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        const swing w = pendulum(dims, 60);
        /* The inertia about the end is that of a plate; the period of a finite swing is longer by a²/16. */
        const double inertia = (1 + 0.01) / 12 + 0.25;
        const double expected = 2 * FR_PI * sqrt(inertia / (9.81 * 0.5)) * (1 + 0.1 * 0.1 / 16);
        print_message("%dD pendulum: period %.6f of %.6f, energy %.2e, apart %.2e\n", dims, w.period, expected,
                      w.energy, w.apart);
        assert_true(fabs(w.period - expected) < 1e-3 * expected);
        assert_true(fabs(w.energy) < 1e-3);
        assert_true(w.apart < 1e-4);
    }
}

/* A chain of three rods on ball joints falls and keeps its energy. */
static void test_chain(void **state)
{
    (void)state;
    scene *s = scene_new(3, 0.05);
    for (int b = 0; b < 3; b++) {
        scene_add(s, scene_box(0.4, 0.05, 0.08), 0.2 + 0.4 * b, 3, 0.0);
        fr_joint_def *j = scene_join(s, FR_JOINT_BALL, b, b - 1);
        j->at[0] = 0.4 * b;
        j->at[1] = 3;
    }
    s->bodies[2].velocity[2] = 1;
    scene_begin(s);
    const double first = scene_energy(s), fall = rigid_body_mass(s->world, 0)->mass * 3 * 9.81 * 0.6;
    double worst = 0;
    for (int n = 0; n < 180; n++) {
        scene_step(s, n / 60.0, (n + 1) / 60.0);
        worst = fmax(worst, fabs(scene_energy(s) - first) / fall);
    }
    print_message("chain: energy off by %.2e of its fall\n", worst);
    assert_true(worst < 0.02);
    scene_end(s);
}

static void test_slider(void **state)
{
    (void)state;
    scene *s = scene_new(3, 0.05);
    const double angle = 0.5;
    scene_add(s, scene_box(0.2, 0.2, 0.2), 0, 2, 0)->spin[0] = 0;
    fr_joint_def *j = scene_join(s, FR_JOINT_SLIDER, 0, -1);
    j->axis[0] = cos(angle);
    j->axis[1] = -sin(angle);
    j->axis[2] = 0;
    scene_begin(s);
    for (int n = 0; n < 30; n++)
        scene_step(s, n / 60.0, (n + 1) / 60.0);
    const rigid_state q = scene_state(s, 0);
    const double a = 9.81 * sin(angle), way = 0.5 * a * 0.25;
    print_message("slider: %g of %g, across %g\n", hypot(q.position[0], q.position[1] - 2), way,
                  q.position[0] * sin(angle) + (q.position[1] - 2) * cos(angle));
    assert_true(fabs(q.position[0] - way * cos(angle)) < 1e-6);
    assert_true(fabs(q.position[1] - 2 + way * sin(angle)) < 1e-6);
    assert_true(fabs(q.rotation[0]) > 1 - 1e-9);
    scene_end(s);
}

/* A rod falls onto the limit of its hinge and stays there; a slider onto its own. */
static void test_limits(void **state)
{
    (void)state;
    for (int swapped = 0; swapped < 2; swapped++) {
        scene *s = scene_new(3, 0.05);
        scene_add(s, scene_box(1, 0.1, 0.1), 0.5, 2, 0);
        scene_add(s, scene_box(0.2, 0.2, 0.2), -1, 2, 0);
        scene_add(s, scene_box(0.1, 0.1, 0.1), -1, 3, 1)->fixed = true;
        fr_joint_def *h = scene_join(s, FR_JOINT_HINGE, swapped ? 2 : 0, swapped ? 0 : 2);
        h->at[1] = 2;
        h->has_limits = true;
        h->limits[0] = swapped ? -0.1 : -0.5;
        h->limits[1] = swapped ? 0.5 : 0.1;
        fr_joint_def *l = scene_join(s, FR_JOINT_SLIDER, 1, -1);
        l->axis[1] = 1;
        l->axis[2] = 0;
        l->has_limits = true;
        l->limits[0] = -0.3;
        l->limits[1] = 0.2;
        scene_begin(s);
        double lowest = 0, deepest = 2;
        for (int n = 0; n < 180; n++) {
            scene_step(s, n / 60.0, (n + 1) / 60.0);
            const rigid_state q = scene_state(s, 0);
            lowest = fmin(lowest, 2 * atan2(q.rotation[3], q.rotation[0]));
            deepest = fmin(deepest, scene_state(s, 1).position[1]);
        }
        const rigid_state q = scene_state(s, 0);
        print_message("limits: at %g, lowest %g of -0.5; slider lowest %g of 1.7, speeds %g %g\n",
                      2 * atan2(q.rotation[3], q.rotation[0]), lowest, deepest, vec3_length(vec3_of(q.spin)),
                      scene_state(s, 1).velocity[1]);
        assert_true(fabs(2 * atan2(q.rotation[3], q.rotation[0]) + 0.5) < 1e-3);
        assert_true(lowest > -0.503 && deepest > 1.7 - 1e-3);
        assert_true(fabs(scene_state(s, 1).position[1] - 1.7) < 1e-3);
        assert_true(vec3_length(vec3_of(q.spin)) < 0.02 && fabs(scene_state(s, 1).velocity[1]) < 0.02);
        scene_end(s);
    }
}

static fr_result later(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = args[0] < 1 ? 2 : -1;
    return FR_OK;
}

/* A wheel is driven: at once by a motor of any strength, in time by one of a given torque; a lift rises. */
static void test_motor(void **state)
{
    (void)state;
    scene *s = scene_new(3, 0.05);
    scene_add(s, (fr_shape_def){.kind = FR_SHAPE_CYLINDER, .radius = 0.3, .height = 0.1, .axis = 2}, 0, 2, 0);
    scene_add(s, (fr_shape_def){.kind = FR_SHAPE_CYLINDER, .radius = 0.3, .height = 0.1, .axis = 2}, 1, 2, 0);
    scene_add(s, scene_box(0.2, 0.2, 0.2), -1, 2, 0);
    for (int b = 0; b < 3; b++) {
        fr_joint_def *j = scene_join(s, b < 2 ? FR_JOINT_HINGE : FR_JOINT_SLIDER, b, -1);
        memcpy(j->at, s->bodies[b].shape.at, sizeof j->at);
        j->has_motor = true;
        j->motor.function = later;
        if (b == 2)
            j->axis[1] = 1, j->axis[2] = 0;
    }
    s->joints[1].torque = 1;
    scene_begin(s);
    double work = 0, energy = scene_energy(s), lost = 0;
    for (int n = 0; n < 60; n++) {
        scene_step(s, n / 60.0, (n + 1) / 60.0);
        work += rigid_last(s->world).motor_work;
        lost += rigid_last(s->world).lost;
        if (n == 29) {
            assert_true(fabs(scene_state(s, 0).spin[2] - 2) < 1e-6);
            assert_true(fabs(scene_state(s, 1).spin[2] - 0.5 / rigid_body_mass(s->world, 1)->inertia[2][2]) < 1e-6);
            assert_true(fabs(scene_state(s, 2).position[1] - 3) < 1e-3);
        }
    }
    const double gained = scene_energy(s) - energy;
    print_message("motors: work %g, energy gained %g, lost %g\n", work, gained, lost);
    assert_true(fabs(work - lost - gained) < 0.02 * work);
    scene_step(s, 1, 1.1);
    assert_true(fabs(scene_state(s, 0).spin[2] + 1) < 1e-6);
    scene_end(s);
}

static void test_refused(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        scene *s = scene_new(2, 0.05);
        scene_add(s, scene_box(0.1, 0.1, 0.1), 0, 1, 0);
        fr_joint_def *j = scene_join(s, k == 3 ? FR_JOINT_BALL : FR_JOINT_HINGE, 0, -1);
        j->axis[0] = k == 0;
        j->bodies[1] = k == 1 ? 0 : -1;
        j->has_limits = k >= 2;
        j->limits[0] = k == 2 ? 0.5 : -1;
        j->limits[1] = 1;
        assert_int_equal(rigid_create(&s->setup, &s->world), FR_ERROR_INPUT);
        assert_string_equal(fr_error_key(), "joints[1]");
        assert_null(s->world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pendulum), cmocka_unit_test(test_chain),
                                       cmocka_unit_test(test_slider),   cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_motor),    cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
