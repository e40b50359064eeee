/* Bodies that bounce, slide, roll, stack and rest. */
#include "scene.h"

#include <stdio.h>

/* A ball on a floor, from half a metre: returns the height of its first bounce; the energy must never grow. */
static double bounce_height(double restitution, int bounces, double *kept)
{
    scene *s = scene_new(3, 0.05);
    s->setup.wall[FR_BOTTOM] = true;
    scene_add(s, scene_ball(0.1), 0.013, 0.6, 0)->bounce = restitution;
    scene_begin(s);
    const double floor_energy = rigid_body_mass(s->world, 0)->mass * 9.81 * 0.1;
    double top = 0, last = scene_energy(s), first = last;
    int count = 0;
    double falling = -1;
    for (int n = 0; n < 100000 && count < bounces + 1; n++) {
        scene_step(s, n / 240.0, (n + 1) / 240.0);
        const double energy = scene_energy(s), v = scene_state(s, 0).velocity[1];
        assert_true(energy <= last + 1e-12 * first);
        last = energy;
        count += falling < 0 && v > 0;
        falling = v;
        if (count == 1)
            top = fmax(top, scene_state(s, 0).position[1] - 0.1);
    }
    *kept = (last - floor_energy) / (first - floor_energy);
    scene_end(s);
    return top;
}

static void test_bounce(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double e = (double[]){0.3, 0.6, 0.9}[k];
        double kept, top = bounce_height(e, 1, &kept);
        print_message("bounce %g: height %.5f of %.5f\n", e, top, 0.5 * e * e);
        assert_true(fabs(top - 0.5 * e * e) < 0.01 * 0.5);
    }
    double kept;
    bounce_height(1, 10, &kept);
    print_message("energy kept over 10 bounces: %.6f\n", kept);
    assert_true(fabs(kept - 1) < 0.01);
}

/* A block on an incline of angle atan(slope): how far it has slid after a second. */
static double incline(int dims, double slope, double friction, double *speed)
{
    scene *s = scene_new(dims, 0.05);
    const double degrees = atan(slope) * 180 / FR_PI, c = cos(atan(slope)), n = sin(atan(slope));
    fr_body_def *ramp = scene_add(s, scene_box(6, 1, 4), 0, 0, 0);
    ramp->fixed = true;
    ramp->friction = friction;
    ramp->shape.axis[2] = 1;
    ramp->shape.degrees = -degrees;
    fr_body_def *block = scene_add(s, scene_box(0.4, 0.2, 0.3), -1 * c + 0.6 * n, n + 0.6 * c, 0);
    block->friction = friction;
    block->bounce = 0;
    block->shape.axis[2] = 1;
    block->shape.degrees = -degrees;
    scene_begin(s);
    const rigid_state from = scene_state(s, 1);
    for (int k = 0; k < 60; k++)
        scene_step(s, k / 60.0, (k + 1) / 60.0);
    const rigid_state to = scene_state(s, 1);
    const vec3 v = vec3_of(to.velocity), way = vec3_sub(vec3_of(to.position), vec3_of(from.position));
    *speed = vec3_length(v);
    scene_end(s);
    return vec3_length(way);
}

static void test_incline(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        double speed, way = incline(dims, 0.49, 0.5, &speed);
        print_message("%dD sticks: way %g, speed %g\n", dims, way, speed);
        assert_true(way < 1e-6 && speed < 1e-6);
        way = incline(dims, 0.6, 0.5, &speed);
        const double c = 1 / sqrt(1.36), expected = 9.81 * c * (0.6 - 0.5);
        print_message("%dD slides: way %g of %g, speed %g of %g\n", dims, way, 0.5 * expected, speed, expected);
        assert_true(fabs(speed - expected) < 0.005 * expected);
        assert_true(fabs(way - 0.5 * expected) < 0.03 * expected);
    }
}

/* A ball rolls down without sliding: acceleration 5/7 g sin. */
static void test_roll(void **state)
{
    (void)state;
    scene *s = scene_new(3, 0.05);
    const double angle = 0.2, c = cos(angle), n = sin(angle);
    fr_body_def *ramp = scene_add(s, scene_box(8, 1, 4), 0, 0, 0);
    ramp->fixed = true;
    ramp->shape.axis[2] = 1;
    ramp->shape.degrees = -angle * 180 / FR_PI;
    scene_add(s, scene_ball(0.1), -c + 0.6 * n, n + 0.6 * c, 0)->bounce = 0;
    scene_begin(s);
    for (int k = 0; k < 60; k++)
        scene_step(s, k / 60.0, (k + 1) / 60.0);
    const rigid_state q = scene_state(s, 1);
    const double speed = vec3_length(vec3_of(q.velocity)), expected = 5.0 / 7 * 9.81 * n;
    print_message("rolls at %g of %g, spin %g of %g\n", speed, expected, -q.spin[2] * 0.1, speed);
    assert_true(fabs(speed - expected) < 0.005 * expected);
    assert_true(fabs(-q.spin[2] * 0.1 - speed) < 1e-3 * speed);
    scene_end(s);
}

static void test_stack(void **state)
{
    (void)state;
    enum { BOXES = 10 };
    scene *s = scene_new(3, 0.05);
    s->setup.wall[FR_BOTTOM] = true;
    for (int b = 0; b < BOXES; b++)
        scene_add(s, scene_box(0.3, 0.2, 0.3), 0, 0.1 + 0.2001 * b, 0);
    scene_begin(s);
    for (int n = 0; n < 600; n++)
        scene_step(s, n / 60.0, (n + 1) / 60.0);
    double aside = 0, speed = 0, above = 0;
    rigid_state at_rest[BOXES];
    rigid_get(s->world, at_rest);
    for (int b = 0; b < BOXES; b++) {
        aside = fmax(aside, hypot(at_rest[b].position[0], at_rest[b].position[2]));
        above = fmax(above, fabs(at_rest[b].position[1] - 0.1 - 0.2 * b));
        speed = fmax(speed, vec3_length(vec3_of(at_rest[b].velocity)) + vec3_length(vec3_of(at_rest[b].spin)));
    }
    print_message("stack: aside %g, above %g, speed %g, substeps %d\n", aside, above, speed,
                  rigid_last(s->world).substeps);
    assert_true(aside < 1e-3 && above < 1e-3);
    assert_true(speed == 0);
    scene_step(s, 10, 11);
    rigid_state later[BOXES];
    rigid_get(s->world, later);
    for (int b = 0; b < BOXES; b++)
        assert_memory_equal(later[b].position, at_rest[b].position, sizeof later[b].position);
    s->loads[0] = (rigid_load){.force = {0}};
    scene_end(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounce), cmocka_unit_test(test_incline),
                                       cmocka_unit_test(test_roll), cmocka_unit_test(test_stack)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
