/* The number of parcels in each cell is kept within bounds, away from the surface. */
#include "base/random.h"
#include "hybrid/store.h"
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
        r.lacking = balance ? 0 : INT64_MAX / 2;
        int64_t before = c.p.count;
        reseed_report report;
        assert_ok(reseed_run(&r, &c.p, &report));
        assert_int_equal(parcels_alive(&c.p), before + report.added - report.removed);
        assert_int_equal(report.removed, 10 * 20 * 4);
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
                assert_int_equal(held(&c.p, 9, j, k), j < 10 ? 12 : 16);
                assert_true(balance || held(&c.p, 5, j, k) == (j < 10 ? 4 : 0));
            }
        hybrid_case_free(&c);
    }
}

/* A narrow band: its lowest cells are a store of full ones, and there are none below; the rest is left alone. */
static void keeps_a_band(void **state)
{
    (void)state;
    hybrid_case c = uneven(PARCELS_FLIP), before = uneven(PARCELS_FLIP);
    store s = {.seed = {.surface = &c.phi, .flow = c.velocity, .along = 2, .seed = 3}, .from = 0.4};
    s.to = 0.6;
    s.share = 1;
    reseed_report report = {0};
    int64_t count = c.p.count;
    assert_ok(store_renew(&s, &c.p, &report));
    assert_int_equal(parcels_alive(&c.p), count + report.added - report.removed);
    parcels_sort(&c.p);
    for (int k = 0; k < 20; k++)
        for (int j = 0; j < 12; j++)
            for (int i = 0; i < 20; i++)
                assert_int_equal(held(&c.p, i, j, k), j < 6 ? 0 : j < 8 ? 8 : held(&before.p, i, j, k));
    for (int64_t n = 0; n < c.p.count; n++)
        if (c.p.x[1][n] < 8)
            assert_near(c.p.v[0][n], 0.3 * (double)c.p.x[1][n], 1e-5);
    hybrid_case_free(&c);
    hybrid_case_free(&before);
}

/* Parcels shaken by up to a cell, a third of those in a patch taken away, a drop above the pool. */
static hybrid_case shaken(void)
{
    hybrid_case c = hybrid_case_make(hybrid_box(3, 20), PARCELS_FLIP);
    hybrid_set(&c.d, &c.phi, pool);
    for (int a = 0; a < 3; a++)
        hybrid_set(&c.d, &c.velocity[a], shear);
    hybrid_seed(&c, (float[3]){0, 0, 0});
    hybrid_give(&c, shear);
    for (int64_t n = 0; n < c.p.count; n++) {
        for (int a = 0; a < 3; a++) {
            double x = (double)c.p.x[a][n] + 2 * random_unit(11, (uint64_t)(3 * n + a)) - 1;
            c.p.x[a][n] = (float)fmin(fmax(x, 0), a == 1 ? 11.99 : 19.99);
        }
        if (c.p.x[0][n] < 8 && random_unit(12, (uint64_t)n) < 1.0 / 3)
            parcels_remove(&c.p, n);
    }
    assert_ok(parcels_reserve(&c.p, c.p.count + 1));
    parcels_add(&c.p, (float[3]){10.5f, 16.5f, 10.5f}, (float[3]){1, 2, 3});
    parcels_sort(&c.p);
    return c;
}

static double momentum(const parcels *p)
{
    double sum = 0;
    for (int64_t n = 0; n < p->count; n++)
        sum += parcels_has(p, n) ? (double)p->v[0][n] : 0;
    return sum / (double)parcels_alive(p);
}

/* What lacks is supplied, no more; no cell inside is short or crowded; the drop stays, and the flow as it was. */
static void mends_what_is_disturbed(void **state)
{
    (void)state;
    hybrid_case c = shaken();
    int64_t full = (int64_t)20 * 12 * 20 * 8, before = parcels_alive(&c.p);
    double flow = momentum(&c.p);
    reseed r = {.seed = {.surface = &c.phi, .flow = c.velocity, .along = 2}, .from = 0.05, .least = 4, .most = 16};
    int64_t added = 0, removed = 0;
    for (int step = 0; step < 3; step++) {
        reseed_report report;
        r.seed.seed = (uint64_t)step;
        r.lacking = full - parcels_alive(&c.p);
        assert_ok(reseed_run(&r, &c.p, &report));
        added += report.added;
        removed += report.removed;
        parcels_sort(&c.p);
    }
    print_message("%lld of %lld: %lld added, %lld taken; mean velocity %.4f to %.4f m/s\n", (long long)before,
                  (long long)full, (long long)added, (long long)removed, flow, momentum(&c.p));
    assert_true(added > 100 && removed > 10);
    assert_int_equal(parcels_alive(&c.p), before + added - removed);
    assert_true(parcels_alive(&c.p) <= full);
    assert_near(momentum(&c.p), flow, 0.01 * flow);
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < 20; i++)
            for (int j = 0; j < 11; j++)
                assert_in_range(held(&c.p, i, j, k), 4, 16);
    assert_int_equal(held(&c.p, 10, 16, 10), 1);
    hybrid_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fills_and_thins), cmocka_unit_test(keeps_a_band),
                                       cmocka_unit_test(mends_what_is_disturbed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
