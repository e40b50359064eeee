/* The number of parcels in each cell is kept within bounds, away from the surface. */
#include "hybrid/reseed.h"
#include "hybrid_case.h"

static double pool(const double x[3], int axis)
{
    (void)axis;
    return 0.1 * (x[1] - 12);
}

static double shear(const double x[3], int axis)
{
    return axis == 0 ? 0.3 * x[1] : 0;
}

/* Cells at i = 5 are emptied, those at i = 9 get their neighbours' parcels as well. */
static hybrid_case uneven(parcels_kind kind)
{
    hybrid_case c = hybrid_case_make(hybrid_box(3, 20), kind);
    hybrid_set(&c.d, &c.phi, pool);
    for (int a = 0; a < 3; a++)
        hybrid_set(&c.d, &c.velocity[a], shear);
    hybrid_seed(&c, (float[3]){0, 0, 0});
    for (int64_t n = 0; n < c.p.count; n++) {
        int i = (int)c.p.x[0][n];
        if (i == 5)
            parcels_remove(&c.p, n);
        else if (i == 10)
            c.p.x[0][n] -= 1;
    }
    parcels_sort(&c.p);
    return c;
}

static int held(const parcels *p, int i, int j, int k)
{
    int64_t c = parcels_cell(p, (int[3]){i, j, k});
    return p->start[c + 1] - p->start[c];
}

static void fills_and_thins(void **state)
{
    (void)state;
    for (int balance = 0; balance < 2; balance++) {
        hybrid_case c = uneven(PARCELS_APIC);
        reseed r = {.seed = {.surface = &c.phi, .flow = c.velocity, .along = 2, .seed = 3}, .from = 0.2};
        r.least = 4;
        r.most = 12;
        r.balance = balance;
        int64_t before = c.p.count;
        reseed_report report;
        assert_ok(reseed_run(&r, &c.p, &report));
        assert_int_equal(parcels_alive(&c.p), before + report.added - report.removed);
        assert_int_equal(report.removed, 12 * 20 * 4);
        assert_int_equal(report.added, balance ? report.removed : 2 * 10 * 20 * 4);
        int64_t first = c.p.count - report.added;
        for (int64_t n = first; n < c.p.count; n++) {
            assert_true(c.p.x[1][n] < 10); /* two cells below the surface */
            assert_near(c.p.v[0][n], 0.3 * (double)c.p.x[1][n], 1e-5);
            assert_near(c.p.c[0][1][n], 0.3, 1e-5);
        }
        parcels_sort(&c.p);
        for (int k = 0; k < 20; k++)
            for (int j = 0; j < 12; j++) {
                assert_int_equal(held(&c.p, 9, j, k), 12);
                assert_true(balance || held(&c.p, 5, j, k) == (j < 10 ? 4 : 0));
            }
        hybrid_case_free(&c);
    }
}

/* A narrow band: parcels below it go, and those missing at its lower edge come. */
static void keeps_a_band(void **state)
{
    (void)state;
    hybrid_case c = uneven(PARCELS_FLIP);
    reseed r = {.seed = {.surface = &c.phi, .flow = c.velocity, .along = 2, .seed = 3}, .from = 0.2, .deepest = 0.5};
    r.least = 8;
    r.most = 16;
    reseed_report report;
    assert_ok(reseed_run(&r, &c.p, &report));
    parcels_sort(&c.p);
    for (int k = 0; k < 20; k++)
        for (int j = 0; j < 12; j++)
            for (int i = 0; i < 20; i++) {
                int now = held(&c.p, i, j, k);
                assert_true(j < 6 ? now == 0 : i == 5 || i == 10 || now >= 8);
                if (j >= 8 && j < 10)
                    assert_true(now >= 8);
            }
    hybrid_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fills_and_thins), cmocka_unit_test(keeps_a_band)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
