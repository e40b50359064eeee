/* The melting law: viscosity by temperature, and the enthalpy that melting takes up. */
#include "mac/melt.h"
#include "support/check.h"

static const double SOLID = 1e4, LIQUID = 0.1; /* m²/s */

/* Melts from 20 to 60 K. */
static melt law(fr_melt_curve curve, double latent)
{
    fr_heat_def heat = {.set = true,
                        .latent = latent,
                        .melt = {.set = true, .from = 20, .to = 60, .solid = SOLID, .liquid = LIQUID, .curve = curve}};
    return melt_of(&heat);
}

/* Melts at 5 K. */
static melt sharp_law(double latent)
{
    fr_heat_def heat = {
        .set = true, .latent = latent, .melt = {.set = true, .from = 5, .to = 5, .solid = SOLID, .liquid = LIQUID}};
    return melt_of(&heat);
}

static double enthalpy_of(const melt *m, double temperature)
{
    return temperature + m->latent * melt_fraction(m, temperature);
}

static void test_viscosity_outside_the_transition(void **state)
{
    (void)state;
    for (fr_melt_curve curve = FR_MELT_LOG; curve <= FR_MELT_QUADRATIC; curve++) {
        melt m = law(curve, 0);
        for (double below = 20; below > -300; below -= 70)
            assert_near(melt_viscosity(&m, below), SOLID, 0);
        for (double above = 60; above < 2000; above += 500)
            assert_near(melt_viscosity(&m, above), LIQUID, 1e-15);
    }
}

static void test_viscosity_within_the_transition(void **state)
{
    (void)state;
    melt by_log = law(FR_MELT_LOG, 0), linear = law(FR_MELT_LINEAR, 0), quadratic = law(FR_MELT_QUADRATIC, 0);
    for (double t = 21; t < 60; t++) {
        double share = (t - 20) / 40, drop = SOLID - LIQUID;
        assert_near(log(melt_viscosity(&by_log, t)), (1 - share) * log(SOLID) + share * log(LIQUID), 1e-12);
        assert_near(melt_viscosity(&linear, t), SOLID - drop * share, 1e-9);
        assert_near(melt_viscosity(&quadratic, t), LIQUID + drop * (1 - share) * (1 - share), 1e-9);
    }
}

/* A liquid may also grow thicker when it is heated. The small one is then known to the rounding of the large one. */
static void test_viscosity_may_grow(void **state)
{
    (void)state;
    for (fr_melt_curve curve = FR_MELT_LOG; curve <= FR_MELT_QUADRATIC; curve++) {
        melt m = law(curve, 0);
        m.law.solid = LIQUID;
        m.law.liquid = SOLID;
        assert_near(melt_viscosity(&m, 20), LIQUID, 1e-15 * SOLID);
        assert_near(melt_viscosity(&m, 60), SOLID, 1e-15 * SOLID);
        assert_true(melt_viscosity(&m, 40) > LIQUID && melt_viscosity(&m, 40) < SOLID);
    }
}

static void test_viscosity_of_a_step(void **state)
{
    (void)state;
    melt m = sharp_law(0);
    assert_near(melt_viscosity(&m, 4.999), SOLID, 0);
    assert_near(melt_viscosity(&m, 5), SOLID, 0);
    assert_near(melt_viscosity(&m, 5.001), LIQUID, 1e-15);
}

static void test_fraction(void **state)
{
    (void)state;
    melt m = law(FR_MELT_LOG, 80);
    assert_near(melt_fraction(&m, -1e3), 0, 0);
    assert_near(melt_fraction(&m, 20), 0, 0);
    assert_near(melt_fraction(&m, 30), 0.25, 1e-15);
    assert_near(melt_fraction(&m, 60), 1, 0);
    assert_near(melt_fraction(&m, 1e3), 1, 0);
}

/* T, f and de/dT at an enthalpy are those of the temperature it belongs to; none of them jumps back. */
static void check_enthalpy(const melt *m, double from, double to)
{
    const int steps = 4000;
    double step = (to - from) / steps, last = -INFINITY, last_fraction = 0;
    for (int n = 0; n <= steps; n++) {
        double t = from + n * step, e = enthalpy_of(m, t), fraction, back = melt_temperature(m, e, &fraction);
        assert_near(back, t, 1e-10);
        assert_near(fraction, melt_fraction(m, t), 1e-9);
        assert_true(e > last && fraction >= last_fraction && fraction <= 1);
        last = e;
        last_fraction = fraction;
    }
}

/* Away from the bends, where e has no slope. */
static void check_capacity(const melt *m)
{
    const double ends[] = {m->law.from - 1, m->law.from + 0.5 * m->width, m->law.from + m->width + 1};
    for (int n = 0; n < 3; n++) {
        double d = 1e-3 * m->width, rise = enthalpy_of(m, ends[n] + d) - enthalpy_of(m, ends[n] - d);
        assert_near(melt_capacity(m, enthalpy_of(m, ends[n])), rise / (2 * d), 1e-6 * rise / d);
    }
}

static void test_enthalpy(void **state)
{
    (void)state;
    melt m = law(FR_MELT_LOG, 80);
    assert_near(m.width, 40, 0);
    assert_near(melt_capacity(&m, 100), 3, 1e-15);
    check_enthalpy(&m, -50, 200);
    check_capacity(&m);
}

static void test_no_latent_heat(void **state)
{
    (void)state;
    melt m = law(FR_MELT_LOG, 0), sharp = sharp_law(0);
    for (double t = -20; t < 100; t += 3) {
        double fraction = 2;
        assert_near(melt_temperature(&m, t, &fraction), t, 0);
        assert_near(melt_temperature(&sharp, t, &fraction), t, 0);
        assert_near(fraction, 0, 0);
        assert_near(melt_fraction(&m, t), 0, 0);
        assert_near(melt_capacity(&m, t), 1, 0);
        assert_near(melt_capacity(&sharp, t), 1, 0);
    }
}

/* Latent heat means nothing without a law: there is no temperature at which it would be taken up. */
static void test_latent_heat_without_a_law(void **state)
{
    (void)state;
    fr_heat_def heat = {.set = true, .latent = 50};
    melt m = melt_of(&heat);
    double fraction;
    assert_near(melt_temperature(&m, 70, &fraction), 70, 0);
    assert_near(fraction, 0, 0);
}

/* A transition without width is widened to a thousandth of the latent heat, and so is one that is narrower. */
static void test_sharp_transition(void **state)
{
    (void)state;
    melt m = sharp_law(80);
    assert_near(m.width, 0.08, 1e-15);
    assert_near(melt_fraction(&m, 5), 0, 0);
    assert_near(melt_fraction(&m, 5.04), 0.5, 1e-12);
    assert_near(melt_fraction(&m, 5.08), 1, 1e-12);
    assert_near(melt_capacity(&m, 45), 1001, 1e-9);
    check_enthalpy(&m, 4.9, 5.2);
    check_capacity(&m);
    fr_heat_def narrow = {.set = true, .latent = 80, .melt = {.set = true, .from = 5, .to = 5.01}};
    assert_near(melt_of(&narrow).width, 0.08, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_viscosity_outside_the_transition),
                                       cmocka_unit_test(test_viscosity_within_the_transition),
                                       cmocka_unit_test(test_viscosity_may_grow),
                                       cmocka_unit_test(test_viscosity_of_a_step),
                                       cmocka_unit_test(test_fraction),
                                       cmocka_unit_test(test_enthalpy),
                                       cmocka_unit_test(test_no_latent_heat),
                                       cmocka_unit_test(test_latent_heat_without_a_law),
                                       cmocka_unit_test(test_sharp_transition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
