/* Values between the samples. */
#include "grid/sample.h"

#include "base/wide.h"
#include "grid/halo.h"
#include "support/check.h"

static double linear(const double at[3])
{
    return 1.5 + 2 * at[0] - 3 * at[1] + 0.5 * at[2];
}

/* Fills ghosts too: they lie on the same linear function. */
static void fill_linear(field *f, const domain *d)
{
    double origin[3];
    field_origin(f, d, origin);
    int deep = d->dims == 3 ? GHOST : 0;
    for (int k = -deep; k < f->size[2] + deep; k++)
        for (int j = -GHOST; j < f->size[1] + GHOST; j++)
            for (int i = -GHOST; i < f->size[0] + GHOST; i++) {
                double at[3] = {origin[0] + i * d->h[0], origin[1] + j * d->h[1], d->dims == 3 ? origin[2] + k * d->h[2] : 0};
                field_row(f, j, k)[i] = (float)linear(at);
            }
}

static domain test_domain(int dims)
{
    return (domain){.dims = dims, .n = {9, 7, dims == 3 ? 6 : 1}, .h = {0.1, 0.2, dims == 3 ? 0.15 : 1}, .origin = {0.3, -1, dims == 3 ? 2 : 0}};
}

static void test_linear_functions_are_exact_for_every_location(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        domain d = test_domain(dims);
        for (int at = FR_AT_CELL; at <= FR_AT_CELL + dims; at++) {
            field f;
            assert_ok(field_create(&d, (fr_location)at, &f));
            fill_linear(&f, &d);
            for (int t = 0; t < 200; t++) {
                double p[3] = {0, 0, 0};
                for (int a = 0; a < dims; a++)
                    p[a] = d.origin[a] + d.n[a] * d.h[a] * (0.5 + 0.5 * check_noise((uint64_t)(3 * t + a)));
                assert_near(sample_at(&f, &d, p), linear(p), 2e-5);
            }
            field_destroy(&f);
        }
    }
}

static void test_points_stop_at_the_side(void **state)
{
    (void)state;
    domain d = test_domain(2);
    field f;
    assert_ok(field_create(&d, FR_AT_CELL, &f));
    fill_linear(&f, &d);
    double outside[3] = {100, -0.5, 0}, side[3] = {0.3 + 0.9, -0.5, 0};
    assert_near(sample_at(&f, &d, outside), linear(side), 1e-5);
    field_destroy(&f);
}

static void test_points_come_back_on_periodic_axes(void **state)
{
    (void)state;
    domain d = test_domain(2);
    d.periodic[0] = true;
    field f;
    assert_ok(field_create(&d, FR_AT_CELL, &f));
    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 9; i++)
            field_row(&f, j, 0)[i] = (float)check_noise((uint64_t)(i + 9 * j));
    halo_side sides[6] = {{.kind = HALO_PERIODIC}, {.kind = HALO_PERIODIC}};
    halo_fill(&f, &d, sides);
    for (int t = 0; t < 50; t++) {
        double p[3] = {0.3 + 0.9 * (0.5 + 0.5 * check_noise((uint64_t)t)), -0.4, 0};
        double q[3] = {p[0] + 0.9 * (t % 5 - 2), -0.4, 0};
        assert_near(sample_at(&f, &d, q), sample_at(&f, &d, p), 1e-5);
    }
    field_destroy(&f);
}

static void test_bounds_hold_the_value(void **state)
{
    (void)state;
    domain d = test_domain(3);
    field f;
    assert_ok(field_create(&d, FR_AT_FACE_Y, &f));
    for (size_t i = 0; i < f.count; i++)
        f.block[i] = (float)check_noise(i);
    sample_points p = {.at = FR_AT_CELL, .n = 9, .j = 3, .k = 2};
    for (int i = 0; i < 9; i++) {
        p.dx[i] = (float)(3 * check_noise((uint64_t)i + 77));
        p.dy[i] = (float)(3 * check_noise((uint64_t)i + 177));
        p.dz[i] = (float)(3 * check_noise((uint64_t)i + 277));
    }
    sample_confine(&p, &d);
    float value[2 * WIDE], plain[2 * WIDE], low[2 * WIDE], high[2 * WIDE];
    sample_values(&f, &d, &p, plain);
    sample_values_bounds(&f, &d, &p, value, low, high);
    for (int i = 0; i < 9; i++) {
        assert_near(value[i], plain[i], 0);
        assert_true(low[i] <= value[i] && value[i] <= high[i] && low[i] < high[i]);
    }
    field_destroy(&f);
}

/* Whatever the flow has become, nothing outside the block is read. */
static void test_no_number_stays_inside(void **state)
{
    (void)state;
    for (int periodic = 0; periodic < 2; periodic++) {
        domain d = test_domain(3);
        for (int a = 0; a < 3; a++)
            d.periodic[a] = periodic;
        field f;
        assert_ok(field_create(&d, FR_AT_CELL, &f));
        const float odd[8] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 3e9f, -3e9f, 0};
        sample_points p = {.at = FR_AT_FACE_X, .n = 8, .i = 1, .j = 3, .k = 2};
        for (int i = 0; i < 8; i++)
            p.dx[i] = p.dy[i] = p.dz[i] = odd[i];
        sample_confine(&p, &d);
        for (int i = 0; i < 8; i++)
            assert_true(p.dx[i] + 1 + (float)i >= 0 && p.dx[i] + 1 + (float)i <= 9 && p.dy[i] + 3.5f >= 0 && p.dy[i] + 3.5f <= 7);
        float value[WIDE];
        sample_values(&f, &d, &p, value);
        field_destroy(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_functions_are_exact_for_every_location),
        cmocka_unit_test(test_points_stop_at_the_side),
        cmocka_unit_test(test_points_come_back_on_periodic_axes),
        cmocka_unit_test(test_bounds_hold_the_value),
        cmocka_unit_test(test_no_number_stays_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
