/* The multigrid solver: known solutions, sides, aspect ratios, limits and invalid input. */
#include "poisson_case.h"

#include "base/threads.h"

static void check_solved(const poisson_case *c, solve_stats stats, int most, const char *what)
{
    (void)c;
    if (!stats.converged || stats.iterations > most || !(stats.residual <= 1e-6))
        fail_msg("%s: converged %d after %d iterations (at most %d), residual %g", what, stats.converged,
                 stats.iterations, most, stats.residual);
}

/* b = A u for a smooth u; the solver must find u again. */
static void manufacture(poisson_case *c, double *u)
{
    const domain *d = &c->d;
    CASE_EACH(d, i, j, k)
    u[(k * d->n[1] + j) * d->n[0] + i] = cos(FR_PI * (i + 0.5) / d->n[0]) * cos(2 * FR_PI * (j + 0.5) / d->n[1]) +
                                         0.3 * cos(FR_PI * (k + 0.5) / d->n[2]);
    CASE_EACH(d, i, j, k)
    *case_at(&c->b, i, j, k) = (float)case_apply(c, u, (int[3]){i, j, k});
}

static void finds_known_solution(void **state)
{
    (void)state;
    enum { NX = 24, NY = 20, NZ = 16, CELLS = NX * NY * NZ };
    static double u[CELLS];
    for (int sides = 0; sides < 64; sides++) {
        poisson_case c;
        case_create(&c, case_domain(NX, NY, NZ));
        for (int side = 0; side < 6; side++)
            if (sides >> side & 1)
                case_open_side(&c, side / 2, side % 2);
        manufacture(&c, u);
        check_solved(&c, case_solve(&c, 1e-6), 14, "sides");
        double worst = 0, mean = 0;
        CASE_EACH(&c.d, i, j, k)
        mean += sides ? 0 : u[(k * NY + j) * NX + i] / CELLS;
        CASE_EACH(&c.d, i, j, k)
        worst = fmax(worst, fabs((double)*case_at(&c.x, i, j, k) + mean - u[(k * NY + j) * NX + i]));
        if (worst > 2e-4)
            fail_msg("sides %d: error %g", sides, worst);
        case_destroy(&c);
    }
}

static void every_shape(void **state)
{
    (void)state;
    static const domain shapes[] = {
        {.dims = 3, .n = {97, 61, 33}, .h = {1, 1, 1}},    {.dims = 3, .n = {7, 5, 3}, .h = {1, 1, 1}},
        {.dims = 3, .n = {1, 1, 1}, .h = {1, 1, 1}},       {.dims = 3, .n = {2, 1, 1}, .h = {1, 1, 1}},
        {.dims = 3, .n = {1, 64, 1}, .h = {1, 1, 1}},      {.dims = 3, .n = {64, 1, 48}, .h = {1, 1, 1}},
        {.dims = 3, .n = {300, 4, 4}, .h = {1, 1, 1}},     {.dims = 3, .n = {33, 32, 31}, .h = {1, 1, 1}},
        {.dims = 2, .n = {255, 129, 1}, .h = {1, 1, 1}},   {.dims = 2, .n = {1, 9, 1}, .h = {1, 1, 1}},
        {.dims = 3, .n = {48, 48, 48}, .h = {1, 1, 10}},   {.dims = 3, .n = {48, 48, 48}, .h = {10, 1, 1}},
        {.dims = 3, .n = {32, 64, 16}, .h = {1, 10, 100}}, {.dims = 2, .n = {128, 128, 1}, .h = {1, 10, 1}},
        {.dims = 2, .n = {128, 128, 1}, .h = {10, 1, 1}},  {.dims = 3, .n = {48, 48, 48}, .h = {2, 1, 1}},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        poisson_case c;
        char what[40];
        snprintf(what, sizeof what, "shape %zu", i);
        case_create(&c, shapes[i]);
        case_random_right(&c, 17);
        check_solved(&c, case_solve(&c, 1e-6), 14, what);
        case_destroy(&c);
    }
}

static void periodic_axes(void **state)
{
    (void)state;
    static const int sizes[][3] = {{32, 24, 20}, {31, 24, 20}, {32, 25, 20}, {32, 24, 21}, {45, 33, 21},
                                   {3, 3, 3},    {5, 1, 1},    {2, 2, 2},    {64, 63, 0},  {63, 65, 0}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int axes = 1; axes < 8; axes++) {
            poisson_case c;
            char what[60];
            snprintf(what, sizeof what, "size %zu periodic %d", i, axes);
            domain d = case_domain(sizes[i][0], sizes[i][1], sizes[i][2]);
            for (int a = 0; a < d.dims; a++)
                d.periodic[a] = axes >> a & 1;
            case_create(&c, d);
            case_random_right(&c, 23);
            check_solved(&c, case_solve(&c, 1e-6), 16, what);
            case_destroy(&c);
        }
    }
}

/* A pair of cells that touch across an odd seam alone: the smoother cannot see their difference. */
static void lone_pair_at_odd_seam(void **state)
{
    (void)state;
    poisson_case c;
    domain d = case_domain(9, 8, 8);
    d.periodic[0] = true;
    case_create(&c, d);
    for (int a = 0; a < 3; a++)
        field_fill(&c.w[a], 0);
    *case_at(&c.w[0], 0, 3, 3) = 1;
    *case_at(&c.b, 0, 3, 3) = 1;
    *case_at(&c.b, 8, 3, 3) = -1;
    solve_stats stats = case_solve(&c, 1e-6);
    assert_true(stats.converged);
    assert_float_equal(*case_at(&c.x, 0, 3, 3), 0.5, 1e-5);
    assert_float_equal(*case_at(&c.x, 8, 3, 3), -0.5, 1e-5);
    case_destroy(&c);
}

/* The smoothest right-hand side: in float alone the true residual would stop near 1e-4. */
static void smooth_right_side(void **state)
{
    (void)state;
    poisson_case c;
    case_create(&c, case_domain(64, 64, 64));
    CASE_EACH(&c.d, i, j, k)
    *case_at(&c.b, i, j, k) = (float)cos(FR_PI * (i + 0.5) / 64);
    check_solved(&c, case_solve(&c, 1e-6), 14, "smooth");
    check_solved(&c, case_solve(&c, 1e-10), 24, "smooth, tight");
    case_destroy(&c);
}

/* The divergence of the solution's gradient is −b, to the tolerance and the rounding of the faces. */
static void gradient_is_exact(void **state)
{
    (void)state;
    for (int periodic = 0; periodic < 8; periodic++) {
        poisson_case c;
        domain d = case_domain(64, 47, 40);
        for (int a = 0; a < 3; a++)
            d.periodic[a] = periodic >> a & 1;
        case_create(&c, d);
        CASE_EACH(&c.d, i, j, k)
        *case_at(&c.b, i, j, k) = (float)cos(2 * FR_PI * (i + 0.5) / 64);
        poisson *s;
        assert_int_equal(poisson_create(&c.d, false, &s), FR_OK);
        poisson_set_operator(s, &c.op);
        assert_true(poisson_solve(s, &c.b, &c.x, &(solve_limits){.tolerance = 1e-6, .max_iterations = 50}).converged);
        poisson_ready_gradient(s);
        for (int a = 0; a < 3; a++) {
            field_fill(&c.w[a], 0);
            for (int r = 0; r < field_rows(&c.w[a]); r++)
                poisson_add_gradient_row(s, &(poisson_faces){a, -1}, r % c.w[a].size[1], r / c.w[a].size[1],
                                         field_row(&c.w[a], r % c.w[a].size[1], r / c.w[a].size[1]));
        }
        double worst = 0;
        CASE_EACH(&c.d, i, j, k)
        worst = fmax(worst, fabs((double)*case_at(&c.b, i, j, k) -
                                 ((double)*case_at(&c.w[0], i + 1, j, k) - (double)*case_at(&c.w[0], i, j, k)) -
                                 ((double)*case_at(&c.w[1], i, j + 1, k) - (double)*case_at(&c.w[1], i, j, k)) -
                                 ((double)*case_at(&c.w[2], i, j, k + 1) - (double)*case_at(&c.w[2], i, j, k))));
        if (worst > 5e-6)
            fail_msg("periodic %d: %g", periodic, worst);
        poisson_destroy(s);
        case_destroy(&c);
    }
}

/* Backward Euler diffusion: A + const; few iterations must do. */
static void large_constant(void **state)
{
    (void)state;
    const double constants[] = {0.01, 1, 100, 1e6};
    const int most[] = {14, 10, 4, 2};
    for (int i = 0; i < 4; i++) {
        poisson_case c;
        case_create(&c, case_domain(48, 40, 36));
        c.op.extra = NULL;
        c.op.extra_constant = constants[i];
        case_random_right(&c, 29);
        check_solved(&c, case_solve(&c, 1e-6), most[i], "constant");
        case_destroy(&c);
    }
}

static void nothing_to_do(void **state)
{
    (void)state;
    poisson_case c;
    case_create(&c, case_domain(20, 20, 20));
    field_fill(&c.x, 3);
    solve_stats stats = case_solve(&c, 1e-6);
    assert_true(stats.converged && stats.iterations == 0 && stats.residual == 0);
    assert_true(*case_at(&c.x, 5, 5, 5) == 0);
    field_fill(&c.b, 0.1f); /* its mean alone: nothing either */
    stats = case_solve(&c, 1e-6);
    assert_true(stats.converged && stats.iterations == 0);
    for (int a = 0; a < 3; a++)
        field_fill(&c.w[a], 0);
    stats = case_solve(&c, 1e-6); /* no active cell */
    assert_true(stats.converged && stats.iterations == 0);
    case_destroy(&c);
}

/* Very small and very large numbers are solved like others. */
static void any_unit(void **state)
{
    (void)state;
    for (int power = -30; power <= 30; power += 10) {
        poisson_case c;
        case_create(&c, case_domain(24, 20, 16));
        case_random_right(&c, 3);
        for (size_t i = 0; i < c.b.count; i++)
            c.b.block[i] *= (float)pow(10, power);
        check_solved(&c, case_solve(&c, 1e-6), 12, "unit");
        case_destroy(&c);
    }
}

static void stops_at_nan(void **state)
{
    (void)state;
    poisson_case c;
    case_create(&c, case_domain(20, 20, 20));
    case_random_right(&c, 1);
    poisson *s;
    assert_int_equal(poisson_create(&c.d, false, &s), FR_OK);
    poisson_set_operator(s, &c.op);
    solve_limits limits = {.tolerance = 1e-6, .max_iterations = 100};
    float keep = *case_at(&c.b, 4, 4, 4);
    *case_at(&c.b, 4, 4, 4) = NAN;
    solve_stats stats = poisson_solve(s, &c.b, &c.x, &limits);
    assert_true(!stats.converged && isnan(stats.residual) && stats.iterations <= 1);
    *case_at(&c.b, 4, 4, 4) = INFINITY;
    stats = poisson_solve(s, &c.b, &c.x, &limits);
    assert_true(!stats.converged && isnan(stats.residual) && stats.iterations <= 1);
    /* … and is as good as new afterwards. */
    *case_at(&c.b, 4, 4, 4) = keep;
    field_fill(&c.x, 0);
    stats = poisson_solve(s, &c.b, &c.x, &limits);
    assert_true(stats.converged);
    poisson_destroy(s);
    case_destroy(&c);
}

static void keeps_limits(void **state)
{
    (void)state;
    poisson_case c;
    case_create(&c, case_domain(32, 32, 32));
    case_random_right(&c, 1);
    poisson *s;
    assert_int_equal(poisson_create(&c.d, false, &s), FR_OK);
    poisson_set_operator(s, &c.op);
    solve_stats stats = poisson_solve(s, &c.b, &c.x, &(solve_limits){.tolerance = 1e-12, .max_iterations = 2});
    assert_true(!stats.converged && stats.iterations == 2 && stats.residual > 1e-6);
    stats = poisson_solve(s, &c.b, &c.x, &(solve_limits){.tolerance = 1e-6, .max_iterations = 50});
    assert_true(stats.converged);
    /* From a good guess there is little to do. */
    int again = poisson_solve(s, &c.b, &c.x, &(solve_limits){.tolerance = 1e-4, .max_iterations = 50}).iterations;
    assert_true(again == 0);
    field_fill(&c.x, 0);
    stats = poisson_solve(s, &c.b, &c.x, &(solve_limits){.absolute = 0.01, .max_iterations = 50});
    assert_true(stats.converged && stats.iterations > 0 && stats.iterations < 8);
    field_fill(&c.x, 0);
    stats = poisson_solve_cg(s, &c.b, &c.x, &(solve_limits){.tolerance = 1e-6, .max_iterations = 500});
    assert_true(stats.converged && stats.iterations > 20);
    poisson_destroy(s);
    case_destroy(&c);
}

static uint64_t hash_field(const field *f)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < f->count * sizeof(float); i++)
        hash = (hash ^ ((const unsigned char *)f->block)[i]) * 1099511628211u;
    return hash;
}

static void same_bits_for_any_threads(void **state)
{
    (void)state;
    static const int sizes[][3] = {{64, 48, 40}, {300, 200, 0}, {47, 33, 41}};
    for (int i = 0; i < 3; i++) {
        uint64_t first = 0;
        for (int threads = 1; threads <= 4; threads *= 2) {
            poisson_case c;
            domain d = case_domain(sizes[i][0], sizes[i][1], sizes[i][2]);
            d.periodic[0] = d.periodic[2] = i == 2;
            fr_set_threads(threads);
            case_create(&c, d);
            case_random_right(&c, 5);
            assert_true(case_solve(&c, 1e-6).converged);
            uint64_t hash = hash_field(&c.x);
            if (threads == 1)
                first = hash;
            assert_true(hash == first);
            case_destroy(&c);
        }
    }
    fr_set_threads(1);
}

static void predicts_memory(void **state)
{
    (void)state;
    domain d = case_domain(128, 128, 128);
    double per_cell = (double)poisson_bytes(&d, false) / (double)domain_cells(&d);
    assert_true(per_cell > 40 && per_cell < 47);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* which ends the program instead */
    poisson *s;
    domain huge = case_domain(1 << 20, 1 << 20, 1 << 10);
    assert_int_equal(poisson_create(&huge, false, &s), FR_ERROR_MEMORY);
    assert_null(s);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_known_solution), cmocka_unit_test(every_shape),
        cmocka_unit_test(periodic_axes),        cmocka_unit_test(lone_pair_at_odd_seam),
        cmocka_unit_test(smooth_right_side),    cmocka_unit_test(gradient_is_exact),
        cmocka_unit_test(large_constant),       cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(stops_at_nan),         cmocka_unit_test(any_unit),
        cmocka_unit_test(keeps_limits),         cmocka_unit_test(same_bits_for_any_threads),
        cmocka_unit_test(predicts_memory),
    };
    fr_set_threads(1); /* the systems are too small to share */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
