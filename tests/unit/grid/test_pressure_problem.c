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

static int tank_cells(const tank *t)
{
    return t->d.n[0] * t->d.n[1] * t->d.n[2];
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

/* Gauss elimination in double; `a` has n rows of n + 1. The answer comes to the last column. */
static void solve_dense(double *a, int n)
{
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int r = c + 1; r < n; r++)
            best = fabs(a[r * (n + 1) + c]) > fabs(a[best * (n + 1) + c]) ? r : best;
        for (int k = 0; k <= n; k++) {
            double kept = a[c * (n + 1) + k];
            a[c * (n + 1) + k] = a[best * (n + 1) + k];
            a[best * (n + 1) + k] = kept;
        }
        for (int r = 0; r < n; r++) {
            double factor = r == c ? 0 : a[r * (n + 1) + c] / a[c * (n + 1) + c];
            for (int k = c; k <= n && factor != 0; k++)
                a[r * (n + 1) + k] -= factor * a[c * (n + 1) + k];
        }
    }
    for (int r = 0; r < n; r++)
        a[r * (n + 1) + n] /= a[r * (n + 1) + r];
}

/* The matrix of a tank without air: closed faces on all sides but the right one where that is open; on a closed tank
   the mean is pinned by adding 1 1ᵀ. */
static double *dense_system(const tank *t, const poisson_term *terms, int count, bool pinned)
{
    int n = tank_cells(t), width = n + 1;
    double *m = calloc((size_t)n * (size_t)width, sizeof *m), c = domain_cell_volume(&t->d) / pow(t->d.h[0], 2);
    EACH_CELL(t, i, j, k)
    {
        int at[3] = {i, j, k}, step[3] = {1, t->d.n[0], t->d.n[0] * t->d.n[1]}, own = i + j * step[1] + k * step[2];
        for (int a = 0; a < t->d.dims; a++) {
            if (at[a] + 1 == t->d.n[a])
                continue;
            const float *face = tank_at(&t->open[a], i, j, k);
            double w = c * (double)face[t->open[a].stride[a]];
            int next = own + step[a];
            m[own * width + own] += w;
            m[next * width + next] += w;
            m[own * width + next] -= w;
            m[next * width + own] -= w;
        }
        if (t->g.open_side[FR_RIGHT] && i + 1 == t->d.n[0])
            m[own * width + own] += 2 * c;
        m[own * width + n] = (double)*tank_at(&t->b, i, j, k);
    }
    for (int q = 0; q < count; q++)
        for (int r = 0; r < terms[q].count; r++)
            for (int s = 0; s < terms[q].count; s++)
                m[terms[q].cell[r] * width + terms[q].cell[s]] +=
                    terms[q].d * (double)terms[q].u[r] * (double)terms[q].u[s];
    for (int r = 0; r < n && pinned; r++)
        for (int s = 0; s < n; s++)
            m[r * width + s] += 1;
    return m;
}

/* A block of cells that the pressure pushes along one axis: u is +1 before it and −1 behind it, Σ u = 0. */
typedef struct pushed {
    int32_t cell[64];
    float u[64];
    int count;
} pushed;

static poisson_term push_block(const tank *t, pushed *b, int axis, const int low[3], int size, double d)
{
    b->count = 0;
    int c1 = axis == 0 ? 1 : 0, c2 = axis == 2 ? 1 : 2, deep = t->d.dims == 3 ? size : 1;
    for (int side = 0; side < 2; side++)
        for (int q = 0; q < size * deep; q++) {
            int at[3] = {low[0], low[1], low[2]};
            at[axis] += side ? size : -1;
            at[c1] += q % size;
            at[c2] += q / size;
            b->cell[b->count] = at[0] + t->d.n[0] * (at[1] + t->d.n[1] * at[2]);
            b->u[b->count++] = side ? -1 : 1;
        }
    return (poisson_term){b->count, b->cell, b->u, d};
}

static void close_block(tank *t, const int low[3], int size)
{
    for (int a = 0; a < t->d.dims; a++)
        for (int k = low[2]; k < low[2] + (t->d.dims == 3 ? size + (a == 2) : 1); k++)
            for (int j = low[1]; j < low[1] + size + (a == 1); j++)
                for (int i = low[0]; i < low[0] + size + (a == 0); i++)
                    *tank_at(&t->open[a], i, j, k) = 0;
}

static void check_terms(int dims, bool open, int bodies, double d)
{
    tank t;
    tank_make(&t, dims, (int[3]){dims == 3 ? 11 : 22, dims == 3 ? 9 : 18, dims == 3 ? 7 : 1}, 1);
    static pushed memory[6];
    poisson_term terms[6];
    int count = 0;
    t.g.open_side[FR_RIGHT] = open;
    for (int b = 0; b < bodies; b++) {
        int low[3] = {2 + 5 * b, 3 + b, dims == 3 ? 2 : 0};
        close_block(&t, low, 3);
        for (int a = 0; a < dims; a++, count++)
            terms[count] = push_block(&t, &memory[count], a, low, 3, d * (a + 1));
    }
    projection_build(t.p, &t.g, &t.work);
    projection_set_terms(t.p, terms, count);
    double mean = 0, most = 0, worst = 0;
    int live = 0, n = tank_cells(&t);
    double *m = dense_system(&t, terms, count, !open);
    srand(7);
    EACH_CELL(&t, i, j, k)
    {
        int own = i + t.d.n[0] * (j + t.d.n[1] * k);
        bool inside = m[own * (n + 1) + own] - !open == 0;
        *tank_at(&t.b, i, j, k) = inside ? 0 : (float)rand() / (float)RAND_MAX - 0.4f;
        mean += *tank_at(&t.b, i, j, k);
        live += !inside;
    }
    EACH_CELL(&t, i, j, k)
    {
        int own = i + t.d.n[0] * (j + t.d.n[1] * k);
        bool inside = m[own * (n + 1) + own] - !open == 0;
        for (int r = 0; r < n && inside; r++)
            m[own * (n + 1) + r] = m[r * (n + 1) + own] = r == own;
        m[own * (n + 1) + n] = inside ? 0 : (double)*tank_at(&t.b, i, j, k) - (open ? 0 : mean / live);
    }
    solve_dense(m, n);
    solve_stats stats = tank_solve(&t, 1e-6);
    EACH_CELL(&t, i, j, k)
    {
        double exact = m[(i + t.d.n[0] * (j + t.d.n[1] * k)) * (n + 1) + n];
        most = fmax(most, fabs(exact));
        worst = fmax(worst, fabs(*tank_at(&t.x, i, j, k) - exact));
    }
    for (int q = 0; q < count; q++) {
        double exact = 0;
        for (int r = 0; r < terms[q].count; r++)
            exact += (double)terms[q].u[r] * m[terms[q].cell[r] * (n + 1) + n];
        assert_near(projection_term(t.p, q), exact, 1e-5 * most);
    }
    print_message("%dD, %s, rank %d, d = %g: %d iterations, %.2g of the greatest pressure off\n", dims,
                  open ? "open" : "closed", count, d, stats.iterations, worst / most);
    assert_below(worst, 1e-5 * most);
    assert_true(stats.iterations < 60);
    free(m);
    tank_destroy(&t);
}

static void test_terms_of_low_rank(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int open = 0; open < 2; open++)
            for (int bodies = 1; bodies <= (dims == 2 ? 3 : 1); bodies += 2) {
                check_terms(dims, open, bodies, 0.01);
                check_terms(dims, open, bodies, 1);
                check_terms(dims, open, bodies, 100);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_column_of_water_is_at_rest),
        cmocka_unit_test(test_a_circle_converges_in_second_order),
        cmocka_unit_test(test_the_gradient_matches_the_system),
        cmocka_unit_test(test_terms_of_low_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
