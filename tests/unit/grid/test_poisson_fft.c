/* The direct solver against the multigrid one and its own definition. */
#include "poisson_case.h"

#include "grid/poisson_fft.h"

/* The same box for the multigrid solver. */
static void box(poisson_case *c, domain d, const side_kind sides[6])
{
    for (int a = 0; a < d.dims; a++)
        d.periodic[a] = sides[2 * a] == SIDE_PERIODIC;
    case_create(c, d);
    for (int side = 0; side < 2 * d.dims; side++)
        if (sides[side] == SIDE_OPEN)
            case_open_side(c, side / 2, side % 2);
    case_random_right(c, 31);
}

static void check_box(domain d, const side_kind sides[6], const char *what)
{
    poisson_case c;
    box(&c, d, sides);
    poisson_fft *s;
    assert_int_equal(poisson_fft_create(&c.d, c.op.coefficient, sides, &s), FR_OK);
    field y;
    assert_int_equal(field_create(&c.d, FR_AT_CELL, &y), FR_OK);
    solve_limits limits = {.tolerance = 1e-6, .max_iterations = 10};
    solve_stats direct = poisson_fft_solve(s, &c.b, &y, &limits);
    solve_stats iterated = case_solve(&c, 1e-6);
    double worst = 0, largest = 0;
    CASE_EACH(&c.d, i, j, k) {
        worst = fmax(worst, fabs((double)*case_at(&y, i, j, k) - (double)*case_at(&c.x, i, j, k)));
        largest = fmax(largest, fabs((double)*case_at(&y, i, j, k)));
    }
    if (!direct.converged || direct.iterations > 3 || !iterated.converged || worst > 1e-4 * largest + 1e-6)
        fail_msg("%s: %d passes, residual %g; differs by %g of %g", what, direct.iterations, direct.residual, worst,
                 largest);
    field_destroy(&y);
    poisson_fft_destroy(s);
    case_destroy(&c);
}

static const side_kind pairs[5][2] = {{SIDE_CLOSED, SIDE_CLOSED}, {SIDE_OPEN, SIDE_OPEN}, {SIDE_CLOSED, SIDE_OPEN},
                                      {SIDE_OPEN, SIDE_CLOSED},   {SIDE_PERIODIC, SIDE_PERIODIC}};

static void every_combination(void **state)
{
    (void)state;
    for (int all = 0; all < 125; all++) {
        const side_kind *x = pairs[all % 5], *y = pairs[all / 5 % 5], *z = pairs[all / 25];
        const side_kind sides[6] = {x[0], x[1], y[0], y[1], z[0], z[1]};
        char what[40];
        snprintf(what, sizeof what, "combination %d", all);
        check_box((domain){.dims = 3, .n = {18, 11, 8}, .h = {1, 2, 0.5}}, sides, what);
        if (all < 25)
            check_box((domain){.dims = 2, .n = {35, 16, 1}, .h = {1, 2, 1}}, sides, what);
    }
    const side_kind closed[6] = {0};
    check_box(case_domain(1, 1, 5), closed, "thin");
    check_box(case_domain(64, 64, 64), closed, "64");
}

static void smooth_and_constant(void **state)
{
    (void)state;
    const side_kind sides[6] = {0};
    poisson_case c;
    box(&c, case_domain(96, 96, 0), sides);
    poisson_fft *s;
    assert_int_equal(poisson_fft_create(&c.d, c.op.coefficient, sides, &s), FR_OK);
    solve_limits limits = {.tolerance = 1e-6, .max_iterations = 10};
    CASE_EACH(&c.d, i, j, k)
        *case_at(&c.b, i, j, k) = (float)cos(FR_PI * (i + 0.5) / 96);
    assert_true(poisson_fft_solve(s, &c.b, &c.x, &limits).converged);
    double lambda = 2 - 2 * cos(FR_PI / 96);
    assert_true(fabs((double)*case_at(&c.x, 10, 50, 0) * lambda - (double)*case_at(&c.b, 10, 50, 0)) < 1e-5);
    field_fill(&c.b, 0.1f);
    solve_stats stats = poisson_fft_solve(s, &c.b, &c.x, &limits);
    assert_true(stats.converged && stats.iterations == 0 && *case_at(&c.x, 3, 3, 0) == 0);
    *case_at(&c.b, 3, 3, 0) = NAN;
    stats = poisson_fft_solve(s, &c.b, &c.x, &limits);
    assert_true(!stats.converged && isnan(stats.residual));
    poisson_fft_destroy(s);
    case_destroy(&c);
}

static void gradient_is_exact(void **state)
{
    (void)state;
    for (int all = 0; all < 25; all++) {
        const side_kind *x = pairs[all % 5], *y = pairs[all / 5];
        const side_kind sides[6] = {x[0], x[1], y[0], y[1]};
        poisson_case c;
        box(&c, case_domain(48, 30, 0), sides);
        poisson_fft *s;
        assert_int_equal(poisson_fft_create(&c.d, c.op.coefficient, sides, &s), FR_OK);
        CASE_EACH(&c.d, i, j, k)
            *case_at(&c.b, i, j, k) = (float)cos(2 * FR_PI * (i + 0.5) / 48);
        assert_true(poisson_fft_solve(s, &c.b, &c.x, &(solve_limits){.tolerance = 1e-6}).converged);
        for (int a = 0; a < 2; a++) {
            field_fill(&c.w[a], 0);
            poisson_fft_add_gradient(s, a, -1, &c.w[a]);
        }
        CASE_EACH(&c.d, i, j, k) {
            double flux = (double)*case_at(&c.w[0], i + 1, j, k) - (double)*case_at(&c.w[0], i, j, k) +
                          (double)*case_at(&c.w[1], i, j + 1, k) - (double)*case_at(&c.w[1], i, j, k);
            if (fabs(flux - (double)*case_at(&c.b, i, j, k)) > 5e-6)
                fail_msg("sides %d cell %d %d: %g", all, i, j, flux);
        }
        poisson_fft_destroy(s);
        case_destroy(&c);
    }
}

static void same_bits(void **state)
{
    (void)state;
    const side_kind sides[6] = {0};
    poisson_case c;
    box(&c, case_domain(64, 40, 50), sides);
    poisson_fft *s;
    assert_int_equal(poisson_fft_create(&c.d, c.op.coefficient, sides, &s), FR_OK);
    solve_limits limits = {.tolerance = 1e-6, .max_iterations = 10};
    field first = {0};
    assert_int_equal(field_create(&c.d, FR_AT_CELL, &first), FR_OK);
    for (int threads = 1; threads <= 4; threads *= 2) {
        fr_set_threads(threads);
        field_fill(&c.x, 0);
        poisson_fft_solve(s, &c.b, threads == 1 ? &first : &c.x, &limits);
        if (threads > 1)
            assert_memory_equal(c.x.block, first.block, first.count * sizeof(float));
    }
    fr_set_threads(1);
    field_destroy(&first);
    poisson_fft_destroy(s);
    case_destroy(&c);
}

static void half_periodic_is_refused(void **state)
{
    (void)state;
    const side_kind sides[6] = {SIDE_PERIODIC, SIDE_OPEN};
    domain d = case_domain(8, 8, 8);
    poisson_fft *s;
    assert_int_equal(poisson_fft_create(&d, (double[3]){1, 1, 1}, sides, &s), FR_ERROR_INPUT);
    assert_null(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_combination),
        cmocka_unit_test(smooth_and_constant),
        cmocka_unit_test(gradient_is_exact),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(half_periodic_is_refused),
    };
    if (!poisson_fft_available())
        return 0; /* this build has none */
    fr_set_threads(1); /* the systems are too small to share */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
