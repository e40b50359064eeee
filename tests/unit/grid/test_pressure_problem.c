/* The pressure problem against exact solutions: what no method uses yet is proven here. */
#include "grid/projection.h"

#include <stdlib.h>

#include "grid/operators.h"
#include "support/check.h"

static const double PI = 3.14159265358979323846;

typedef struct tank {
    domain d;
    field surface, open[3], velocity[3], b, x, work;
    projection_geometry g;
    projection *p;
} tank;

/* A closed block of cells of edge h without air. */
static void tank_make(tank *t, int dims, const int n[3], double h)
{
    *t = (tank){.d = {.dims = dims, .n = {n[0], n[1], n[2]}, .h = {h, h, dims == 3 ? h : 1}}};
    for (int a = 0; a < dims; a++) {
        assert_ok(field_create(&t->d, field_face(a), &t->open[a]));
        assert_ok(field_create(&t->d, field_face(a), &t->velocity[a]));
        field_fill(&t->open[a], 1);
    }
    assert_ok(field_create(&t->d, FR_AT_CELL, &t->surface));
    assert_ok(field_create(&t->d, FR_AT_CELL, &t->b));
    assert_ok(field_create(&t->d, FR_AT_CELL, &t->x));
    assert_ok(field_create(&t->d, FR_AT_CELL, &t->work));
    assert_ok(projection_create(&t->d, true, &t->p));
    t->g.open = t->open;
}

static void tank_destroy(tank *t)
{
    projection_destroy(t->p);
    for (int a = 0; a < t->d.dims; a++) {
        field_destroy(&t->open[a]);
        field_destroy(&t->velocity[a]);
    }
    field_destroy(&t->surface);
    field_destroy(&t->b);
    field_destroy(&t->x);
    field_destroy(&t->work);
}

#define EACH_CELL(t, i, j, k)                                                                                          \
    for (int k = 0; k < (t)->d.n[2]; k++)                                                                              \
        for (int j = 0; j < (t)->d.n[1]; j++)                                                                          \
            for (int i = 0; i < (t)->d.n[0]; i++)

static float *tank_at(const field *f, int i, int j, int k)
{
    return field_row(f, j, k) + i;
}

static solve_stats tank_solve(tank *t, double tolerance)
{
    solve_limits limits = {.tolerance = tolerance, .max_iterations = 300};
    solve_stats stats =
        projection_solve(t->p, &(projection_task){.b = &t->b, .guess = &t->x, .limits = &limits}, &t->x);
    assert_true(stats.converged);
    return stats;
}

/* b = −(ρ/Δt) V ∇·u; returns the greatest divergence in the liquid. */
static double tank_divergence(tank *t, double density, double dt)
{
    double most = 0;
    operators_divergence(&t->d, t->velocity, t->open, &t->b);
    EACH_CELL(t, i, j, k)
    {
        float *b = tank_at(&t->b, i, j, k);
        bool wet = !t->g.surface || *tank_at(&t->surface, i, j, k) < 0;
        most = wet ? fmax(most, fabs(*b)) : most;
        *b = wet ? (float)(-density / dt * domain_cell_volume(&t->d) * (double)*b) : 0;
    }
    return most;
}

/* Water that has felt gravity for Δt, its surface at `level` cells above the bottom along y. The sides and the bottom
   let nothing through. */
static void fill_column(tank *t, double level, double gravity, double dt)
{
    t->g.surface = &t->surface;
    EACH_CELL(t, i, j, k)
    *tank_at(&t->surface, i, j, k) = (float)((j + 0.5 - level) * t->d.h[1]);
    projection_build(t->p, &t->g, &t->work);
    for (int k = 0; k < t->d.n[2]; k++)
        for (int j = 1; j < t->d.n[1]; j++)
            for (int i = 0; i < t->d.n[0]; i++)
                *tank_at(&t->velocity[1], i, j, k) = (float)(-gravity * dt);
}

/* p = ρ g (level − y) at every centre, wherever between two of them the surface is, and the water stands still. */
static void test_a_column_of_water_is_at_rest(void **state)
{
    (void)state;
    const double density = 1000, gravity = 9.81, dt = 0.01, h = 0.05;
    for (int dims = 2; dims <= 3; dims++)
        for (int part = 0; part < 5; part++) {
            tank t;
            tank_make(&t, dims, (int[3]){9, 21, dims == 3 ? 7 : 1}, h);
            double level = 12.52 + 0.24 * part;
            fill_column(&t, level, gravity, dt);
            double before = tank_divergence(&t, density, dt);
            tank_solve(&t, 1e-7);
            double worst = 0, moves = 0;
            EACH_CELL(&t, i, j, k)
            {
                double exact = j + 0.5 < level ? density * gravity * (level - j - 0.5) * h : 0;
                worst = fmax(worst, fabs(*tank_at(&t.x, i, j, k) - exact));
            }
            projection_correct(t.p, &t.x, dt, density, t.velocity);
            for (int j = 0; j < (int)(level + 0.5); j++)
                moves = fmax(moves, fabs(*tank_at(&t.velocity[1], 4, j, t.d.n[2] / 2)));
            print_message("surface at %.2f, %dD: pressure off by %.2g of the greatest, velocity %.2g of g Δt\n", level,
                          dims, worst / (density * gravity * level * h), moves / (gravity * dt));
            assert_below(worst, 3e-7 * density * gravity * level * h);
            assert_below(moves, 3e-6 * gravity * dt);
            assert_below(tank_divergence(&t, density, dt), 1e-5 * before);
            tank_destroy(&t);
        }
}

/* −Δp = f inside a circle, p = 0 on it; the exact solution is (R² − r²)(1 + x). The greatest error of p. */
static double circle_error(int n)
{
    tank t;
    double h = 1.0 / n, radius = 0.37, middle[2] = {0.513, 0.491}, worst = 0;
    tank_make(&t, 2, (int[3]){n, n, 1}, h);
    t.g.surface = &t.surface;
    EACH_CELL(&t, i, j, k)
    {
        double x = (i + 0.5) * h - middle[0], y = (j + 0.5) * h - middle[1], r = sqrt(x * x + y * y);
        *tank_at(&t.surface, i, j, k) = (float)(r - radius);
        *tank_at(&t.b, i, j, k) = r < radius ? (float)((4 + 8 * x) * h * h) : 0;
    }
    projection_build(t.p, &t.g, &t.work);
    tank_solve(&t, 1e-6);
    EACH_CELL(&t, i, j, k)
    {
        double x = (i + 0.5) * h - middle[0], y = (j + 0.5) * h - middle[1], rest = radius * radius - x * x - y * y;
        double exact = rest > 0 ? rest * (1 + x) : 0;
        worst = fmax(worst, fabs(*tank_at(&t.x, i, j, k) - exact));
    }
    tank_destroy(&t);
    return worst;
}

static void test_a_circle_converges_in_second_order(void **state)
{
    (void)state;
    double error[4];
    for (int level = 0; level < 4; level++) {
        error[level] = circle_error(24 << level);
        print_message("%3d cells: error %.3g\n", 24 << level, error[level]);
    }
    assert_below(error[3], error[0] / 50); /* 64 would be exactly second order */
    assert_below(error[2], error[0] / 12);
}

/* What is left of the divergence is the residual, also past cut and closed faces and an open side. */
static void test_the_gradient_matches_the_system(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int periodic = 0; periodic < 2; periodic++) {
            tank t;
            tank_make(&t, dims, (int[3]){20, 17, dims == 3 ? 13 : 1}, 0.1);
            t.d.periodic[0] = periodic;
            projection_destroy(t.p);
            assert_ok(projection_create(&t.d, true, &t.p));
            t.g.surface = &t.surface;
            t.g.open_side[FR_BOTTOM] = true;
            srand(3);
            for (int k = 0; k < t.d.n[2]; k++)
                for (int j = 0; j < t.d.n[1]; j++)
                    for (int i = -1; i <= t.d.n[0]; i++) {
                        double bump = sin(2 * PI * i / t.d.n[0]) + 0.5 * cos(4 * PI * i / t.d.n[0] + k);
                        *tank_at(&t.surface, i, j, k) = (float)(0.1 * (j - 9.3 - 2 * bump));
                    }
            for (int a = 0; a < dims; a++)
                for (int k = 0; k < t.open[a].size[2]; k++)
                    for (int j = 0; j < t.open[a].size[1]; j++)
                        for (int i = 0; i < t.open[a].size[0]; i++) {
                            int at[3] = {i, j, k}, share = rand() % 12;
                            bool wall =
                                (at[a] == 0 || at[a] == t.d.n[a]) && !(a == 1 && j == 0) && !(a == 0 && periodic);
                            *tank_at(&t.open[a], i, j, k) = share < 2 ? 0 : share < 6 ? 1 : (float)share / 11;
                            *tank_at(&t.velocity[a], i, j, k) = wall ? 0 : (float)rand() / (float)RAND_MAX - 0.5f;
                        }
            for (int k = 0; k < t.d.n[2] && periodic; k++)
                for (int j = 0; j < t.d.n[1]; j++) {
                    *tank_at(&t.open[0], t.d.n[0], j, k) = *tank_at(&t.open[0], 0, j, k);
                    *tank_at(&t.velocity[0], t.d.n[0], j, k) = *tank_at(&t.velocity[0], 0, j, k);
                }
            projection_build(t.p, &t.g, &t.work);
            double before = tank_divergence(&t, 1, 1);
            tank_solve(&t, 1e-7);
            projection_correct(t.p, &t.x, 1, 1, t.velocity);
            double after = tank_divergence(&t, 1, 1);
            print_message("%dD%s: divergence %.3g, %.2g after\n", dims, periodic ? ", periodic" : "", before, after);
            assert_below(after, 1e-5 * before);
            tank_destroy(&t);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_column_of_water_is_at_rest),
        cmocka_unit_test(test_a_circle_converges_in_second_order),
        cmocka_unit_test(test_the_gradient_matches_the_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
