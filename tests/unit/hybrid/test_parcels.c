/* The store of parcels: sorting, removing, seeding. */
#include "hybrid_case.h"

static double ball(const double x[3], int axis)
{
    (void)axis;
    return 0.1 * (sqrt((x[0] - 8) * (x[0] - 8) + (x[1] - 8) * (x[1] - 8) + (x[2] - 8) * (x[2] - 8)) - 6);
}

static double everywhere(const double x[3], int axis)
{
    (void)x;
    (void)axis;
    return -1;
}

/* Each parcel is in its cell's range, and none is lost or doubled: v[0] holds its number. */
static void check_sorted(const parcels *p)
{
    double sum = 0;
    for (int k = 0; k < p->d.n[2]; k++)
        for (int j = 0; j < p->d.n[1]; j++)
            for (int i = 0; i < p->d.n[0]; i++) {
                int64_t c = parcels_cell(p, (int[3]){i, j, k});
                for (int32_t n = p->start[c]; n < p->start[c + 1]; n++) {
                    int cell[3];
                    parcels_cell_of(p, n, cell);
                    assert_true(cell[0] == i && cell[1] == j && cell[2] == k);
                    assert_true(n == p->start[c] || p->v[1][n] > p->v[1][n - 1]); /* stable */
                    sum += p->v[0][n];
                }
            }
    assert_near(sum, 0.5 * (double)p->count * (double)(p->count - 1), 0.5);
}

static void sorts_by_cell(void **state)
{
    (void)state;
    domain d = {.dims = 3, .n = {12, 20, 9}, .h = {1, 1, 1}};
    hybrid_case c = hybrid_case_make(d, PARCELS_FLIP);
    enum { COUNT = 70001 };
    assert_ok(parcels_reserve(&c.p, COUNT));
    for (int n = 0; n < COUNT; n++) {
        float x[3], v[3] = {(float)n, (float)n, 0};
        for (int a = 0; a < 3; a++)
            x[a] = (float)(d.n[a] * 0.5 * (1 + check_noise((uint64_t)(3 * n + a))));
        parcels_add(&c.p, x, v);
    }
    parcels_sort(&c.p);
    assert_int_equal(c.p.slow, 1);
    assert_int_equal(c.p.count, COUNT);
    check_sorted(&c.p);
    hybrid_case_free(&c);
}

static void drops_the_gone(void **state)
{
    (void)state;
    hybrid_case c = hybrid_case_make(hybrid_box(3, 16), PARCELS_APIC);
    hybrid_set(&c.d, &c.phi, ball);
    hybrid_seed(&c, (float[3]){1, 2, 3});
    int64_t count = c.p.count;
    for (int64_t n = 0; n < count; n += 3)
        parcels_remove(&c.p, n);
    assert_int_equal(parcels_alive(&c.p), count - (count + 2) / 3);
    parcels_sort(&c.p);
    assert_int_equal(c.p.count, count - (count + 2) / 3);
    for (int64_t n = 0; n < c.p.count; n++)
        assert_true(parcels_has(&c.p, n) && c.p.v[2][n] == 3);
    hybrid_case_free(&c);
}

static void seeds_the_region(void **state)
{
    (void)state;
    hybrid_case c = hybrid_case_make(hybrid_box(3, 16), PARCELS_FLIP);
    hybrid_set(&c.d, &c.phi, ball);
    hybrid_seed(&c, (float[3]){0, 0, 0});
    assert_near((double)c.p.count / (8 * 4 / 3.0 * FR_PI * 216), 1, 0.02);
    for (int64_t n = 0; n < c.p.count; n++)
        assert_below(ball((double[3]){c.p.x[0][n], c.p.x[1][n], c.p.x[2][n]}, -1), 0.01);
    hybrid_case_free(&c);
}

/* One parcel in each part of a cell, in 2D too, at places that look random. */
static void seeds_evenly(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        hybrid_case c = hybrid_case_make(hybrid_box(dims, 8), PARCELS_MARKERS);
        hybrid_set(&c.d, &c.phi, everywhere);
        hybrid_seed(&c, (float[3]){0, 0, 0});
        int each = dims == 3 ? 8 : 4;
        double mean = 0, square = 0;
        assert_int_equal(c.p.count, each * domain_cells(&c.d));
        for (int64_t n = 0; n < c.p.count; n++) {
            double part = 2 * (double)c.p.x[1][n];
            part -= floor(part);
            mean += part / (double)c.p.count;
            square += part * part / (double)c.p.count;
        }
        assert_near(mean, 0.5, 0.05);
        assert_near(square - mean * mean, 1 / 12.0, 0.02);
        for (int64_t cell = 0; cell < domain_cells(&c.d); cell++)
            assert_int_equal(c.p.start[cell + 1] - c.p.start[cell], each);
        hybrid_case_free(&c);
    }
}

static double along_x(const double x[3], int axis)
{
    (void)x;
    return axis == 0 ? 0.03 : 0;
}

/* A step that failed: some were removed and added, all have moved, some more were removed and moved again. Those that
   were gone before stay so. */
static void puts_back(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        hybrid_case c = hybrid_case_make(hybrid_box(dims, 16), PARCELS_FLIP);
        hybrid_set(&c.d, &c.phi, everywhere);
        hybrid_seed(&c, (float[3]){1, 0, 0});
        for (int a = 0; a < dims; a++)
            hybrid_set(&c.d, &c.velocity[a], along_x);
        transfer_flow flow = {.velocity = c.velocity, .dt = 1, .order = 3};
        assert_ok(parcels_reserve(&c.p, c.p.count + 1));
        parcels_remove(&c.p, 5);
        transfer_move(&flow, &c.p);
        const int64_t count = c.p.count;
        float *before = malloc((size_t)(3 * count) * sizeof *before);
        for (int a = 0; a < 3; a++)
            memcpy(before + a * count, c.p.x[a], (size_t)count * sizeof *before);
        parcels_keep(&c.p);
        parcels_remove(&c.p, 7);
        parcels_add(&c.p, (float[3]){3, 3, 0.5f}, NULL);
        transfer_move_from(&flow, &c.p);
        assert_near(c.p.x[0][9], before[9] + 0.3f, 1e-5);
        parcels_remove(&c.p, 11);
        transfer_move(&flow, &c.p);
        parcels_put_back(&c.p);
        assert_int_equal(c.p.count, count);
        assert_int_equal(c.p.gone, 1);
        for (int a = 0; a < 3; a++)
            assert_memory_equal(before + a * count, c.p.x[a], (size_t)count * sizeof *before);
        free(before);
        hybrid_case_free(&c);
    }
}

/* Parcels are sorted once the order is old, or many are gone; until then it can be saved, and is checked when read. */
static void ages(void **state)
{
    (void)state;
    hybrid_case c = hybrid_case_make(hybrid_box(3, 16), PARCELS_FLIP);
    hybrid_set(&c.d, &c.phi, ball);
    hybrid_seed(&c, (float[3]){0, 0, 0});
    const int64_t count = c.p.count;
    parcels_remove(&c.p, 3);
    parcels_age(&c.p, 0, 3);
    assert_int_equal(c.p.age, 1);
    assert_int_equal(c.p.count, count);
    assert_true(parcels_resume(&c.p) && c.p.gone == 1);
    c.p.layer[4] = c.p.layer[5] + 1;
    assert_false(parcels_resume(&c.p));
    parcels_age(&c.p, count / 64 + 1, 3);
    assert_int_equal(c.p.age, 0);
    assert_int_equal(c.p.count, count - 1);
    for (int step = 0; step < 3; step++)
        parcels_age(&c.p, 0, 3);
    assert_int_equal(c.p.age, 0);
    hybrid_case_free(&c);
}

static void takes_few_bytes(void **state)
{
    (void)state;
    assert_true(parcels_bytes(PARCELS_FLIP, 3) <= 60);
    assert_true(parcels_bytes(PARCELS_APIC, 3) <= 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_by_cell), cmocka_unit_test(drops_the_gone),  cmocka_unit_test(seeds_the_region),
        cmocka_unit_test(seeds_evenly),  cmocka_unit_test(puts_back),       cmocka_unit_test(ages),
        cmocka_unit_test(takes_few_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
