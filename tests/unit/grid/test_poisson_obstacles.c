/* The multigrid solver with obstacles: the number of iterations must not depend on their positions. */
#include "poisson_case.h"

enum { N = 64 };

static bool sphere_solid(const domain *d, const int c[3])
{
    double r2 = 0;
    for (int a = 0; a < d->dims; a++)
        r2 += pow((c[a] + 0.5) / d->n[a] - (a == 0 ? 0.4 : 0.55), 2);
    return r2 < 0.18 * 0.18;
}

static bool boxes_solid(const domain *d, const int c[3])
{
    int x = c[0] * 20 / d->n[0], y = c[1] * 20 / d->n[1], z = c[2] * 20 / d->n[2];
    return (x >= 3 && x < 9 && y >= 4 && y < 10 && z >= 5 && z < 12) || /* touch along an edge, then a corner */
           (x >= 9 && x < 13 && y >= 10 && y < 15 && z >= 5 && z < 12) ||
           (x >= 13 && x < 16 && y >= 15 && y < 18 && z >= 12 && z < 16);
}

/* A shell around a pocket. */
static bool shell_solid(const domain *d, const int c[3])
{
    int far = 0;
    for (int a = 0; a < d->dims; a++) {
        int from = abs(2 * c[a] + 1 - d->n[a]) / 2;
        far = from > far ? from : far;
    }
    return far == d->n[1] / 5;
}

static bool checker_solid(const domain *d, const int c[3])
{
    (void)d;
    return (c[0] / 3 + c[1] / 3 + c[2] / 3) % 2 == 0 && c[0] % 3 == 1 && c[1] % 3 == 1 && c[2] % 3 == 1;
}

static bool diagonal_solid(const domain *d, const int c[3])
{
    (void)d;
    return c[0] + c[1] == 70 && c[2] > 4;
}

static bool wall_solid(const domain *d, const int c[3])
{
    return c[0] == d->n[0] / 2;
}

static void check(poisson_case *c, int most, const char *what)
{
    case_random_right(c, 77);
    solve_stats stats = case_solve(c, 1e-6);
    if (!stats.converged || stats.iterations > most)
        fail_msg("%s: converged %d after %d iterations, at most %d", what, stats.converged, stats.iterations, most);
    print_message("%-28s %2d iterations, residual %.1e\n", what, stats.iterations, stats.residual);
}

static void solids(void **state)
{
    (void)state;
    const struct {
        case_solid solid;
        const char *name;
    } cases[] = {{sphere_solid, "sphere"},   {boxes_solid, "touching boxes"}, {shell_solid, "pocket"},
                 {checker_solid, "checker"}, {diagonal_solid, "diagonal"},    {wall_solid, "two chambers"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        poisson_case c;
        case_create(&c, case_domain(N, N, N));
        case_close(&c, cases[i].solid);
        check(&c, 14, cases[i].name);
        case_destroy(&c);
    }
    poisson_case c;
    case_create(&c, case_domain(97, 61, 33));
    case_close(&c, sphere_solid);
    check(&c, 14, "sphere, 97 x 61 x 33");
    case_destroy(&c);
    case_create(&c, case_domain(400, 300, 0));
    case_close(&c, sphere_solid);
    check(&c, 14, "disk, 400 x 300");
    case_destroy(&c);
    case_create(&c, case_domain(N, N, N));
    case_close(&c, sphere_solid);
    case_open_side(&c, 1, true);
    check(&c, 14, "sphere, open top");
    case_destroy(&c);
}

/* Closes the faces number `at` across an axis where both other indices lie in the middle. */
static void plate(poisson_case *c, int axis, int at)
{
    CASE_EACH(&c->d, i, j, k)
    {
        int cell[3] = {i, j, k};
        bool inside = cell[axis] == at;
        for (int a = 0; a < c->d.dims; a++)
            inside = inside && (a == axis || (cell[a] > c->d.n[a] / 5 && cell[a] < c->d.n[a] * 7 / 8));
        if (inside)
            *case_at(&c->w[axis], i, j, k) = 0;
    }
}

static void plates(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        for (int at = 29; at <= 36; at++) {
            poisson_case c;
            char what[40];
            snprintf(what, sizeof what, "plate across %d at %d", axis, at);
            case_create(&c, case_domain(N, N, N));
            plate(&c, axis, at);
            check(&c, 14, what);
            case_destroy(&c);
        }
    }
    poisson_case c;
    case_create(&c, case_domain(N, N, N));
    for (int axis = 0; axis < 3; axis++) {
        plate(&c, axis, 13 + 2 * axis);
        plate(&c, axis, 41);
    }
    check(&c, 20, "six crossing plates");
    case_destroy(&c);
    case_create(&c, case_domain(256, 256, 0));
    plate(&c, 0, 101);
    plate(&c, 1, 63);
    check(&c, 14, "plates, 256 x 256");
    case_destroy(&c);
}

/* Partly covered faces, as beside a slope. */
static void fractions(void **state)
{
    (void)state;
    poisson_case c;
    uint32_t seed = 9;
    case_create(&c, case_domain(N, N, N));
    case_close(&c, sphere_solid);
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++)
                    if (j < 12)
                        *case_at(&c.w[a], i, j, k) *= 0.05f + 0.95f * case_unit(&seed);
    check(&c, 14, "fractions");
    case_destroy(&c);
}

/* A pocket whose right-hand side has no solution: the rest is still solved, the pocket up to its mean. */
static void pocket_means(void **state)
{
    (void)state;
    poisson_case c;
    case_create(&c, case_domain(20, 20, 20));
    case_close(&c, shell_solid);
    CASE_EACH(&c.d, i, j, k)
    *case_at(&c.b, i, j, k) = i < 10 && abs(j - 10) < 3 ? 2.0f : i % 3 == 0 ? 1.0f : 0.0f;
    solve_stats stats = case_solve(&c, 1e-6);
    assert_true(stats.converged);
    double inside = 0, outside = 0, largest = 0;
    CASE_EACH(&c.d, i, j, k)
    {
        int at[3] = {i, j, k}, far = 0;
        for (int a = 0; a < 3; a++)
            far = abs(2 * at[a] + 1 - 20) / 2 > far ? abs(2 * at[a] + 1 - 20) / 2 : far;
        double x = (double)*case_at(&c.x, i, j, k);
        *(far < 4 ? &inside : &outside) += x;
        largest = fmax(largest, fabs(x));
        if (far == 4)
            assert_true(x == 0);
    }
    assert_true(largest > 0.1 && fabs(inside) < 1e-3 && fabs(outside) < 1e-2);
    case_destroy(&c);
}

/* Cells in pairs: as many closed components as there can be. */
static void many_pockets(void **state)
{
    (void)state;
    poisson_case c;
    case_create(&c, case_domain(32, 31, 7));
    for (int a = 0; a < 3; a++)
        field_fill(&c.w[a], 0);
    CASE_EACH(&c.d, i, j, k)
    if (i % 2 == 1)
        *case_at(&c.w[0], i, j, k) = 1;
    case_random_right(&c, 4);
    solve_stats stats = case_solve(&c, 1e-6);
    assert_true(stats.converged);
    CASE_EACH(&c.d, i, j, k)
    if (i % 2 == 1) {
        double want = ((double)*case_at(&c.b, i, j, k) - (double)*case_at(&c.b, i - 1, j, k)) / 4;
        assert_float_equal(*case_at(&c.x, i, j, k), want, 1e-5);
    }
    case_destroy(&c);
}

/* Any size, any sides, any weights. Mazes near the point where they fall apart may take long, but must end. */
static void random_system(poisson_case *c, uint32_t *seed)
{
    domain d = {.dims = case_random(seed) % 3 ? 3 : 2, .h = {1, 1, 1}};
    for (int a = 0; a < 3; a++) {
        d.n[a] = a < d.dims ? 1 + (int)(case_random(seed) % (a == 0 ? 40 : 12)) : 1;
        d.periodic[a] = a < d.dims && case_random(seed) % 3 == 0;
        if (case_random(seed) % 4 == 0 && a < d.dims)
            d.h[a] = 0.1 + 5 * (double)case_unit(seed);
    }
    case_create(c, d);
    uint32_t closed = case_random(seed) % 60, partly = case_random(seed) % 60;
    for (int a = 0; a < d.dims; a++)
        for (size_t i = 0; i < c->w[a].count; i++) {
            uint32_t dice = case_random(seed) % 100;
            c->w[a].block[i] = dice < closed ? 0 : dice < closed + partly ? 0.01f + 0.99f * case_unit(seed) : 1;
        }
    if (case_random(seed) % 3 == 0)
        CASE_EACH(&c->d, i, j, k)
    *case_at(&c->e, i, j, k) = case_random(seed) % 20 == 0 ? case_unit(seed) : 0;
    if (case_random(seed) % 5 == 0)
        c->op.extra_constant = (double)case_unit(seed);
    case_random_right(c, *seed);
}

static void random_systems(void **state)
{
    (void)state;
    uint32_t seed = 2026;
    int most = 0;
    for (int number = 0; number < 400; number++) {
        poisson_case c;
        random_system(&c, &seed);
        solve_stats stats = case_solve_within(&c, 1e-6, 2000);
        most = stats.iterations > most ? stats.iterations : most;
        if (!stats.converged)
            fail_msg("system %d, %d x %d x %d: %d iterations, residual %g", number, c.d.n[0], c.d.n[1], c.d.n[2],
                     stats.iterations, stats.residual);
        case_destroy(&c);
    }
    print_message("400 random systems, at most %d iterations\n", most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids),       cmocka_unit_test(plates),       cmocka_unit_test(fractions),
        cmocka_unit_test(pocket_means), cmocka_unit_test(many_pockets), cmocka_unit_test(random_systems),
    };
    fr_set_threads(1); /* the systems are too small to share */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
