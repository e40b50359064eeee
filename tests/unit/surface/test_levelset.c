/* Carrying a level set, its volume, and the same bits for any number of threads. */
#include <string.h>

#include "support/levelsets.h"

static double ball(const double at[3])
{
    return sqrt(pow(at[0] - 0.52, 2) + pow(at[1] - 0.47, 2) + pow(at[2] - 0.51, 2)) - 0.3;
}

static double disc(const double at[3])
{
    return hypot(at[0] - 0.52, at[1] - 0.47) - 0.3;
}
static double tilted(const double at[3])
{
    return 0.6 * (at[0] - 0.5) + 0.8 * (at[1] - 0.43);
}
static double level(const double at[3])
{
    return at[1] - 0.4567;
}
static double volume_of(const domain *d, levelsets_shape shape)
{
    levelsets_case c;
    levelsets_begin(&c, d, shape);
    const double volume = levelset_volume(c.ls, &c.phi, NULL);
    levelsets_end(&c);
    return volume;
}

static void test_volume(void **state)
{
    (void)state;
    const double area = LEVELSETS_PI * 0.3 * 0.3, whole = 4 * LEVELSETS_PI / 3 * 0.3 * 0.3 * 0.3;
    double error[2][2];
    for (int r = 0; r < 2; r++) {
        const domain square = levelsets_box(2, 20 << r, 1), box = levelsets_box(3, 20 << r, 1);
        error[0][r] = fabs(volume_of(&square, disc) / area - 1);
        error[1][r] = fabs(volume_of(&box, ball) / whole - 1);
        assert_near(volume_of(&square, tilted), 0.43, 1e-5);
        assert_near(volume_of(&box, level), 0.4567, 1e-5);
    }
    print_message("relative error of the volume at 20 and 40 cells: disc %.1e %.1e, ball %.1e %.1e\n", error[0][0],
                  error[0][1], error[1][0], error[1][1]);
    for (int s = 0; s < 2; s++) {
        assert_below(error[s][1], 3e-3);
        assert_true(error[s][0] / error[s][1] > 3.4); /* second order: 4 */
    }
}

/* 0.4 cells thick of 32, around the centres of cells. */
static double sheet(const double at[3]) { return fabs(at[1] - 10.5 / 32) - 0.2 / 32; }
static double gap(const double at[3]) { return -sheet(at); }

/* Sheets and gaps thinner than a cell hold what they hold, not a cell or nothing. */
static void test_thin_volume(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        const domain d = levelsets_box(dims, 32, 1);
        assert_near(volume_of(&d, sheet), 0.4 / 32, 1e-5);
        assert_near(volume_of(&d, gap), 1 - 0.4 / 32, 1e-5);
    }
}

static void test_open_volume(void **state)
{
    (void)state;
    const domain d = levelsets_box(3, 24, 1);
    levelsets_case c;
    field open;
    levelsets_begin(&c, &d, level);
    assert_ok(field_create(&d, FR_AT_CELL, &open));
    field_fill(&open, 0.25f);
    assert_near(levelset_volume(c.ls, &c.phi, &open), 0.25 * 0.4567, 1e-5);
    field_destroy(&open);
    levelsets_end(&c);
}

static void test_shift(void **state)
{
    (void)state;
    const domain d = levelsets_box(3, 32, 1);
    levelsets_case c;
    levelsets_begin(&c, &d, ball);
    assert_ok(levelset_redistance(c.ls, &c.phi));
    const double wanted = levelset_volume(c.ls, &c.phi, NULL) * 1.03;
    const double moved = levelset_shift(c.ls, wanted, NULL, &c.phi);
    assert_near(levelset_volume(c.ls, &c.phi, NULL) / wanted, 1, 1e-6);
    assert_near(moved, 0.3 * (cbrt(1.03) - 1), 2e-5);
    levelsets_end(&c);
}

static void glide(const double at[3], double u[3])
{
    (void)at;
    u[0] = 1;
    u[1] = -0.6;
    u[2] = 0.35;
}

static const levelset_motion motions[] = {
    {LEVELSET_SEMI_LAGRANGIAN, 2, 0}, {LEVELSET_UPWIND, 1, 0}, {LEVELSET_ENO2, 2, 0}, {LEVELSET_ENO3, 3, 0},
    {LEVELSET_WENO5, 3, 0},
};
static const char *const names[] = {"semi-Lagrangian", "upwind", "ENO2", "ENO3", "WENO5"};

/* A ball glides once around a periodic box at a Courant number of five or of a half: where it came from, it must lie.
 */
static double glided(levelset_motion motion, double courant)
{
    domain d = levelsets_box(3, 40, 1);
    d.periodic[0] = d.periodic[1] = d.periodic[2] = true;
    levelsets_case c;
    levelsets_begin(&c, &d, ball);
    levelsets_flow(c.velocity, &d, glide);
    const int steps = (int)(40 / courant);
    const levelset_flow flow = {c.velocity, 1};
    for (int n = 0; n < steps; n++) {
        assert_ok(levelset_carry(c.ls, &flow, 1.0 / steps, &motion, &c.phi));
        assert_ok(levelset_redistance(c.ls, &c.phi));
    }
    assert_true(motion.scheme == LEVELSET_SEMI_LAGRANGIAN ? motion.steps == 1 : motion.steps >= courant);
    double most = 0;
    for (int k = 0; k < 40; k++)
        for (int j = 0; j < 40; j++)
            for (int i = 0; i < 40; i++) {
                double at[3];
                levelsets_place(&c.phi, &d, i, j, k, at);
                const double moved[3] = {at[0], fmod(at[1] + 0.6, 1), fmod(at[2] - 0.35 + 1, 1)};
                if (fabs(ball(moved)) < 1.0 / 40)
                    most = fmax(most, fabs(field_row(&c.phi, j, k)[i] - ball(moved)));
            }
    levelsets_end(&c);
    return most * 40;
}

static void test_glide(void **state)
{
    (void)state;
    /* The first order has a numerical viscosity that shrinks the ball by some u h t/R, two to four cells. */
    const double limit[] = {0.05, 4, 0.6, 0.12, 0.05};
    for (int s = 0; s < 5; s++) {
        const double slow = glided(motions[s], 0.5), fast = glided(motions[s], 5);
        print_message("%s: a ball glided around the box errs by %.3f cells at Courant 0.5, %.3f at 5\n", names[s], slow,
                      fast);
        assert_below(slow, limit[s]);
        assert_below(fast, limit[s]);
    }
}

/* A flow of half the cells gives the same, where it is linear. */
static void shear(const double at[3], double u[3])
{
    u[0] = at[1] - 0.5;
    u[1] = 0.5 * (at[0] - 0.5);
    u[2] = 0;
}

static void test_refined(void **state)
{
    (void)state;
    const domain fine = levelsets_box(2, 64, 1), coarse = levelsets_box(2, 32, 1);
    for (int s = 0; s < 5; s += 4) {
        levelsets_case a, b;
        field velocity[3];
        levelset_motion motion = motions[s];
        levelsets_begin(&a, &fine, disc);
        levelsets_begin(&b, &fine, disc);
        levelsets_flow(a.velocity, &fine, shear);
        for (int axis = 0; axis < 2; axis++)
            assert_ok(field_create(&coarse, field_face(axis), &velocity[axis]));
        levelsets_flow(velocity, &coarse, shear);
        for (int n = 0; n < 10; n++) {
            assert_ok(levelset_carry(a.ls, &(levelset_flow){a.velocity, 1}, 0.05, &motion, &a.phi));
            assert_ok(levelset_carry(b.ls, &(levelset_flow){velocity, 2}, 0.05, &motion, &b.phi));
        }
        for (int j = 0; j < 64; j++)
            for (int i = 0; i < 64; i++)
                assert_near(field_row(&b.phi, j, 0)[i], field_row(&a.phi, j, 0)[i], 1e-4);
        for (int axis = 0; axis < 2; axis++)
            field_destroy(&velocity[axis]);
        levelsets_end(&b);
        levelsets_end(&a);
    }
}

/* A pool at rest in a flow at rest. */
static void still(const double at[3], double u[3])
{
    (void)at;
    u[0] = u[1] = u[2] = 0;
}

static void test_still_pool(void **state)
{
    (void)state;
    const domain d = levelsets_box(2, 40, 1);
    for (int s = 0; s < 5; s++) {
        levelsets_case c;
        levelset_motion motion = motions[s];
        levelsets_begin(&c, &d, tilted);
        levelsets_flow(c.velocity, &d, still);
        const double volume = levelset_volume(c.ls, &c.phi, NULL);
        for (int n = 0; n < 2000; n++) {
            assert_ok(levelset_carry(c.ls, &(levelset_flow){c.velocity, 1}, 0.01, &motion, &c.phi));
            assert_ok(levelset_redistance(c.ls, &c.phi));
        }
        double square = 0, count = 0;
        for (int j = 0; j < 40; j++)
            for (int i = 0; i < 40; i++) {
                double at[3];
                levelsets_place(&c.phi, &d, i, j, 0, at);
                if (fabs(tilted(at)) < 1.0 / 40) {
                    square += pow((field_row(&c.phi, j, 0)[i] - tilted(at)) * 40, 2);
                    count++;
                }
            }
        print_message("%s: a tilted still surface after 2000 steps is off by %.1e cells (rms)\n", names[s],
                      sqrt(square / count));
        assert_below(sqrt(square / count), 1e-3);
        assert_near(levelset_volume(c.ls, &c.phi, NULL), volume, 1e-6);
        levelsets_end(&c);
    }
}

static void run_threads(int threads, levelset_motion motion, field *out)
{
    const domain d = levelsets_box(3, 44, 1);
    levelsets_case c;
    fr_set_threads(threads);
    levelsets_begin(&c, &d, ball);
    levelsets_flow(c.velocity, &d, levelsets_deform);
    for (int n = 0; n < 4; n++) {
        assert_ok(levelset_carry(c.ls, &(levelset_flow){c.velocity, 1}, 0.03, &motion, &c.phi));
        assert_ok(levelset_redistance(c.ls, &c.phi));
    }
    levelset_shift(c.ls, levelset_volume(c.ls, &c.phi, NULL) * 1.01, NULL, &c.phi);
    assert_ok(field_create(&d, FR_AT_CELL, out));
    field_copy(out, &c.phi);
    levelsets_end(&c);
    fr_set_threads(0);
}

static void test_same_bits(void **state)
{
    (void)state;
    for (int s = 0; s < 5; s += 4) {
        field one, two;
        run_threads(1, motions[s], &one);
        run_threads(3, motions[s], &two);
        assert_memory_equal(one.block, two.block, one.count * sizeof(float));
        field_destroy(&one);
        field_destroy(&two);
    }
}

/* A disc after a step of so many cells; `twice`: after the same step before, so that all blocks it needs are listed at
   once. */
static void leap(int cells, double courant, bool twice, field *out)
{
    const domain d = levelsets_box(2, cells, 1);
    levelset_motion motion = motions[0];
    levelsets_case c;
    levelsets_begin(&c, &d, disc);
    levelsets_flow(c.velocity, &d, glide);
    const levelset_flow flow = {c.velocity, 1};
    assert_ok(field_create(&d, FR_AT_CELL, out));
    for (int n = 0; n < 1 + twice; n++) {
        levelsets_fill(&c.phi, &d, disc);
        assert_ok(levelset_renew(c.ls, &c.phi));
        assert_ok(levelset_carry(c.ls, &flow, courant / cells, &motion, &c.phi));
    }
    field_copy(out, &c.phi);
    levelsets_end(&c);
}

/* A flow that is faster than expected has the list widened in the middle of the step. Far from the surface blocks are
   listed that change nothing there. */
static void test_leap(void **state)
{
    (void)state;
    for (int cells = 48; cells <= 112; cells += 8) {
        field once, again;
        leap(cells, 9, false, &once);
        leap(cells, 9, true, &again);
        for (int j = 0; j < cells; j++)
            for (int i = 0; i < cells; i++) {
                const float value = field_row(&once, j, 0)[i], wanted = field_row(&again, j, 0)[i];
                assert_true(value == wanted || fminf(fabsf(value), fabsf(wanted)) > 2.0f / (float)cells);
            }
        field_destroy(&once);
        field_destroy(&again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_volume), cmocka_unit_test(test_thin_volume), cmocka_unit_test(test_open_volume),
        cmocka_unit_test(test_shift),  cmocka_unit_test(test_glide),       cmocka_unit_test(test_refined),
        cmocka_unit_test(test_still_pool), cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_leap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
