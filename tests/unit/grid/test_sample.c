/* Interpolation between samples. */
#include "grid/sample.h"

#include "base/wide.h"
#include "grid/halo.h"
#include "support/check.h"

static double linear(const double at[3])
{
    return 1.5 + 2 * at[0] - 3 * at[1] + 0.5 * at[2];
}

/* Ghosts too. */
static void fill_by(field *f, const domain *d, double (*function)(const double at[3]))
{
    double origin[3];
    field_origin(f, d, origin);
    int deep = d->dims == 3 ? GHOST : 0;
    for (int k = -deep; k < f->size[2] + deep; k++)
        for (int j = -GHOST; j < f->size[1] + GHOST; j++)
            for (int i = -GHOST; i < f->size[0] + GHOST; i++) {
                double at[3] = {origin[0] + i * d->h[0], origin[1] + j * d->h[1],
                                d->dims == 3 ? origin[2] + k * d->h[2] : 0};
                field_row(f, j, k)[i] = (float)function(at);
            }
}

static domain test_domain(int dims)
{
    return (domain){.dims = dims,
                    .n = {9, 7, dims == 3 ? 6 : 1},
                    .h = {0.1, 0.2, dims == 3 ? 0.15 : 1},
                    .origin = {0.3, -1, dims == 3 ? 2 : 0}};
}

static void test_linear_functions_are_exact_for_every_location(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        domain d = test_domain(dims);
        for (int at = FR_AT_CELL; at <= FR_AT_CELL + dims; at++) {
            field f;
            assert_ok(field_create(&d, (fr_location)at, &f));
            fill_by(&f, &d, linear);
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
    fill_by(&f, &d, linear);
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

/* Rises along every axis, so that nothing is held back. */
static double rising_cubic(const double at[3])
{
    double x = at[0] + 1, y = at[1] + 2, z = at[2] + 1;
    return x * x * x + 2 * y * y * y * (1 + x * x) + z * z * z + x * y * z;
}

enum { MOVE_KINDS = 4 };

/* Moves up to `most` cells, the same kinds that flows have: all alike, in two or three sets along the row, or all
 * different. */
static void make_moves(sample_points *p, const domain *d, int kind, double most)
{
    float *moves[3] = {p->dx, p->dy, p->dz};
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < p->n; i++) {
            double noise = check_noise((uint64_t)(i * 3 + a + 1000 * kind)), base = check_noise((uint64_t)(a + 77));
            double move[MOVE_KINDS] = {base + 0.01 * noise, base + 0.15 * i, base - 0.4 * i, most * noise};
            moves[a][i] = a < d->dims ? (float)move[kind] : 0;
        }
    sample_confine(p, d);
}
static void test_cubics_are_exact_where_nothing_is_held_back(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        domain d = test_domain(dims);
        d.origin[1] = 0.1;
        for (int at = FR_AT_CELL; at <= FR_AT_CELL + dims; at++) {
            field f;
            assert_ok(field_create(&d, (fr_location)at, &f));
            fill_by(&f, &d, rising_cubic);
            for (int kind = 0; kind < MOVE_KINDS; kind++) {
                sample_points p = {.at = FR_AT_CELL, .n = 9, .j = 3, .k = dims == 3 ? 2 : 0};
                make_moves(&p, &d, kind, 4);
                float value[2 * WIDE];
                sample_values_cubic(&f, &d, &p, value);
                for (int i = 0; i < p.n; i++) {
                    double place[3] = {d.origin[0] + (i + 0.5 + (double)p.dx[i]) * d.h[0],
                                       d.origin[1] + (p.j + 0.5 + (double)p.dy[i]) * d.h[1],
                                       dims == 3 ? d.origin[2] + (p.k + 0.5 + (double)p.dz[i]) * d.h[2] : 0};
                    assert_near(value[i] / rising_cubic(place), 1, 2e-6);
                }
            }
            field_destroy(&f);
        }
    }
}

typedef void (*sampler)(const field *f, const domain *d, const sample_points *points, float *out);
static const sampler samplers[] = {sample_values, sample_values_rounded, sample_values_cubic};
enum { SAMPLERS = sizeof samplers / sizeof samplers[0] };

/* However the samples are read (side by side, in two sets, one by one), a point has the same value. */
static void test_company_does_not_matter(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        domain d = test_domain(dims);
        d.n[0] = 21;
        field f;
        assert_ok(field_create(&d, FR_AT_FACE_X, &f));
        for (size_t i = 0; i < f.count; i++)
            f.block[i] = (float)check_noise(i);
        for (int kind = 0; kind < MOVE_KINDS; kind++)
            for (int j = 0; j < 7; j += 3) {
                sample_points row = {.at = FR_AT_CELL, .n = 21, .j = j, .k = dims == 3 ? 5 : 0};
                make_moves(&row, &d, kind, 4);
                for (int s = 0; s < SAMPLERS; s++) {
                    float together[SAMPLE_ROW], alone[WIDE];
                    samplers[s](&f, &d, &row, together);
                    for (int i = 0; i < row.n; i++) {
                        sample_points one = {.at = FR_AT_CELL,
                                             .n = 1,
                                             .i = i,
                                             .j = j,
                                             .k = row.k,
                                             .dx = {row.dx[i]},
                                             .dy = {row.dy[i]},
                                             .dz = {row.dz[i]}};
                        samplers[s](&f, &d, &one, alone);
                        assert_true(together[i] == alone[0]);
                    }
                }
            }
        field_destroy(&f);
    }
}

/* Mirrored along one axis after the other: the same bits, on samples too. */
static void test_mirrored_points_have_the_same_bits(void **state)
{
    (void)state;
    domain d = test_domain(3);
    field f, g;
    assert_ok(field_create(&d, FR_AT_CELL, &f));
    assert_ok(field_create(&d, FR_AT_CELL, &g));
    for (size_t i = 0; i < f.count; i++)
        f.block[i] = (float)check_noise(i);
    for (int axis = 0; axis < 3; axis++) {
        for (int k = -GHOST; k < d.n[2] + GHOST; k++)
            for (int j = -GHOST; j < d.n[1] + GHOST; j++)
                for (int i = -GHOST; i < d.n[0] + GHOST; i++) {
                    int c[3] = {i, j, k};
                    c[axis] = d.n[axis] - 1 - c[axis];
                    field_row(&g, c[1], c[2])[c[0]] = field_row(&f, j, k)[i];
                }
        for (int t = 0; t < 300; t++) {
            int c[3] = {t % 9, t % 7, t % 6};
            sample_points p = {.at = FR_AT_CELL, .n = 1, .i = c[0], .j = c[1], .k = c[2]},
                          q = {.at = FR_AT_CELL, .n = 1};
            float *moves[2][3] = {{p.dx, p.dy, p.dz}, {q.dx, q.dy, q.dz}};
            for (int a = 0; a < 3; a++) {
                double move = 2 * check_noise((uint64_t)(3 * t + a));
                moves[0][a][0] = (t + a) % 3 ? (float)move : (float)(int)move; /* every third on a sample */
                moves[1][a][0] = a == axis ? -moves[0][a][0] : moves[0][a][0];
            }
            c[axis] = d.n[axis] - 1 - c[axis];
            q.i = c[0], q.j = c[1], q.k = c[2];
            sample_confine(&p, &d);
            sample_confine(&q, &d);
            for (int s = 0; s < SAMPLERS; s++) {
                float here[WIDE], there[WIDE];
                samplers[s](&f, &d, &p, here);
                samplers[s](&g, &d, &q, there);
                assert_true(here[0] == there[0]);
            }
        }
    }
    field_destroy(&f);
    field_destroy(&g);
}

static void test_cubic_values_stay_between_the_nearest_samples(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        domain d = test_domain(dims);
        field f;
        assert_ok(field_create(&d, FR_AT_CELL, &f));
        for (size_t i = 0; i < f.count; i++)
            f.block[i] = (float)check_noise(i);
        for (int kind = 0; kind < MOVE_KINDS; kind++) {
            sample_points p = {.at = FR_AT_FACE_Y, .n = 9, .j = 4, .k = dims == 3 ? 1 : 0};
            make_moves(&p, &d, kind, 4);
            float cubic[2 * WIDE], linear[2 * WIDE], low[2 * WIDE], high[2 * WIDE];
            sample_values_cubic(&f, &d, &p, cubic);
            sample_values_bounds(&f, &d, &p, linear, low, high);
            for (int i = 0; i < p.n; i++)
                assert_true(low[i] <= cubic[i] && cubic[i] <= high[i]);
        }
        field_fill(&f, 0.1f);
        sample_points p = {.at = FR_AT_FACE_X, .n = 9, .j = 4};
        make_moves(&p, &d, 3, 4);
        float value[2 * WIDE];
        sample_values_cubic(&f, &d, &p, value);
        for (int i = 0; i < p.n; i++)
            assert_true(value[i] == 0.1f);
        field_destroy(&f);
    }
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
            assert_true(p.dx[i] + 1 + (float)i >= 0 && p.dx[i] + 1 + (float)i <= 9 && p.dy[i] + 3.5f >= 0 &&
                        p.dy[i] + 3.5f <= 7);
        float value[WIDE];
        sample_values(&f, &d, &p, value);
        sample_values_cubic(&f, &d, &p, value);
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
        cmocka_unit_test(test_cubics_are_exact_where_nothing_is_held_back),
        cmocka_unit_test(test_company_does_not_matter),
        cmocka_unit_test(test_mirrored_points_have_the_same_bits),
        cmocka_unit_test(test_cubic_values_stay_between_the_nearest_samples),
        cmocka_unit_test(test_no_number_stays_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
