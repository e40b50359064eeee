/* The tensor solver on curvilinear grids: its matrix, fluxes and solutions. */
#include <string.h>

#include "grid/tensor/parts.h"

#include "support/check.h"
#include "tensor_case.h"

/* Small ones for what is asked of matrix and fluxes: all kinds of sides, odd sizes, solids. */
static const tensor_case small[] = {
    {"sheared channel", {17, 12, 1}, map_sheared, CASE_CHANNEL, NULL},
    {"sheared, fixed all round", {9, 14, 1}, map_sheared, CASE_FIXED, NULL},
    {"sheared, periodic", {12, 7, 1}, map_sheared, CASE_PERIODIC, NULL},
    {"annulus", {15, 8, 1}, map_annulus, CASE_RING, NULL},
    {"throat with blocks", {40, 20, 1}, map_throat, CASE_CHANNEL, solid_blocks},
    {"throat in pools", {40, 11, 1}, map_throat, CASE_CHANNEL, solid_walls},
    {"sheared in 3D, fixed", {7, 6, 9}, map_sheared, CASE_FIXED, NULL},
    {"sheared in 3D, periodic", {6, 5, 8}, map_sheared, CASE_PERIODIC, NULL},
    {"sheared in 3D, blocks", {12, 8, 7}, map_sheared, CASE_CHANNEL, solid_blocks},
};

typedef struct bench {
    domain d;
    tensor t;
    tensor_solver *solver;
    field b, x;
} bench;

static bench bench_open(const tensor_case *c)
{
    bench f = {.d = case_domain(c)};
    assert_ok(tensor_create(&f.d, c->sides, &f.t));
    case_fill(c, &f.t);
    assert_ok(tensor_solver_create(&f.d, &f.solver));
    assert_ok(tensor_solver_set(f.solver, &f.t, 1, NULL));
    assert_ok(field_create(&f.d, FR_AT_CELL, &f.b));
    assert_ok(field_create(&f.d, FR_AT_CELL, &f.x));
    return f;
}

static void bench_close(bench *f)
{
    field_destroy(&f->b);
    field_destroy(&f->x);
    tensor_solver_destroy(f->solver);
    tensor_destroy(&f->t);
}

static void fill_rough(const domain *d, field *f, uint64_t seed)
{
    field_fill(f, 0);
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++)
            for (int i = 0; i < d->n[0]; i++)
                field_row(f, j, k)[i] = (float)check_noise(seed++);
}

/* out = A x by the fluxes: −(sum of F out of each cell). */
static void apply_by_flow(const tensor *t, field *x, field *out)
{
    const domain *d = &t->domain;
    field flux[3] = {{0}};
    for (int a = 0; a < d->dims; a++)
        assert_ok(field_create(d, field_face(a), &flux[a]));
    tensor_add_flow(t, x, 1, flux);
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++)
            for (int i = 0; i < d->n[0]; i++) {
                double sum = 0;
                for (int a = 0; a < d->dims; a++) {
                    const float *low = field_row(&flux[a], j, k) + i;
                    sum += (double)low[flux[a].stride[a]] - (double)low[0];
                }
                field_row(out, j, k)[i] = (float)-sum;
            }
    for (int a = 0; a < d->dims; a++)
        field_destroy(&flux[a]);
}

static double dot(const domain *d, const field *a, const field *b)
{
    double sum = 0;
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++)
            for (int i = 0; i < d->n[0]; i++)
                sum += (double)field_row(a, j, k)[i] * (double)field_row(b, j, k)[i];
    return sum;
}

static double largest_difference(const domain *d, const field *a, const field *b)
{
    double most = 0;
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++)
            for (int i = 0; i < d->n[0]; i++)
                most = fmax(most, fabs((double)field_row(a, j, k)[i] - (double)field_row(b, j, k)[i]));
    return most;
}

/* The fluxes make a symmetric, positive matrix with constants as the only null space, where no side is fixed. */
static void test_fluxes_are_the_slope_of_an_energy(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof small / sizeof *small; c++) {
        bench f = bench_open(&small[c]);
        field x, y, ay;
        field *fields[3] = {&x, &y, &ay};
        for (int i = 0; i < 3; i++)
            assert_ok(field_create(&f.d, FR_AT_CELL, fields[i]));
        fill_rough(&f.d, &x, 1);
        fill_rough(&f.d, &y, 1000);
        apply_by_flow(&f.t, &y, &ay);
        double xay = dot(&f.d, &x, &ay), yay = dot(&f.d, &y, &ay);
        apply_by_flow(&f.t, &x, &ay);
        check_near(dot(&f.d, &y, &ay), xay, 1e-5 * yay, small[c].name, __FILE__, __LINE__);
        assert_true(yay > 0);
        bool fixed = false;
        for (int side = 0; side < 2 * f.d.dims; side++)
            fixed |= small[c].sides[side] == TENSOR_FIXED;
        field_fill(&x, 3);
        apply_by_flow(&f.t, &x, &ay);
        assert_true(fixed == (dot(&f.d, &ay, &ay) > 0));
        for (int i = 0; i < 3; i++)
            field_destroy(fields[i]);
        bench_close(&f);
    }
}

/* What the solver takes for the matrix is what the fluxes give. */
static void test_matrix_is_that_of_the_fluxes(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof small / sizeof *small; c++) {
        bench f = bench_open(&small[c]);
        const tensor_matrix *m = &f.solver->level[0].m;
        float *x = f.solver->p, *out = f.solver->q;
        fill_rough(&f.d, &f.x, 7);
        apply_by_flow(&f.t, &f.x, &f.b);
        for (int row = 0; row < tensor_rows(&m->shape); row++) {
            memcpy(x + row * m->shape.row, field_row(&f.x, row % f.d.n[1], row / f.d.n[1]),
                   (size_t)f.d.n[0] * sizeof *x);
            tensor_close_row(&m->shape, x + row * m->shape.row);
        }
        double most = 0, size = sqrt(dot(&f.d, &f.b, &f.b) / (double)domain_cells(&f.d));
        for (int row = 0; row < tensor_rows(&m->shape); row++) {
            tensor_apply_row(m, x, row % f.d.n[1], row / f.d.n[1], 0, f.d.n[0], out);
            for (int i = 0; i < f.d.n[0]; i++)
                most = fmax(most, fabs((double)out[i] - (double)field_row(&f.b, row % f.d.n[1], row / f.d.n[1])[i]));
        }
        check_below(most, 3e-6 * size, small[c].name, __FILE__, __LINE__);
        bench_close(&f);
    }
}

/* Walls thinner than a coarse cell let through what they should not, until coarse cells are so large that it does not
   matter: more iterations behind solids. */
static const struct {
    tensor_case c;
    int iterations;
} large[] = {
    {{"uniform", {300, 100, 1}, map_uniform, CASE_CHANNEL, NULL}, 12},
    {{"cells 20 times as long as wide", {300, 100, 1}, map_long, CASE_CHANNEL, NULL}, 12},
    {{"cells 20 times as wide as long", {300, 100, 1}, map_wide, CASE_CHANNEL, NULL}, 12},
    {{"sheared by 45 degrees", {150, 150, 1}, map_sheared, CASE_CHANNEL, NULL}, 12},
    {{"sheared, fixed all round", {151, 133, 1}, map_sheared, CASE_FIXED, NULL}, 12},
    {{"sheared, periodic", {151, 133, 1}, map_sheared, CASE_PERIODIC, NULL}, 12},
    {{"annulus of 1 to 10", {300, 75, 1}, map_annulus, CASE_RING, NULL}, 12},
    {{"throat", {500, 100, 1}, map_throat, CASE_CHANNEL, NULL}, 12},
    {{"throat with blocks", {500, 100, 1}, map_throat, CASE_CHANNEL, solid_blocks}, 14},
    {{"sheared in 3D", {40, 36, 41}, map_sheared, CASE_CHANNEL, NULL}, 14},
    {{"throat in pools", {500, 100, 1}, map_throat, CASE_CLOSED, solid_walls}, 18},
};

static void fill_smooth(const domain *d, field *f)
{
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++)
            for (int i = 0; i < d->n[0]; i++)
                field_row(f, j, k)[i] =
                    (float)(sin(3.0 * i / d->n[0] + 1) * cos(2.0 * j / d->n[1] + 0.3) * cos(2.0 * k / d->n[2]));
}

/* From nothing, for right-hand sides that are rough and ones that are smooth. */
static void test_few_iterations_on_any_grid(void **state)
{
    (void)state;
    const solve_limits limits = {.tolerance = 1e-5, .max_iterations = 60};
    for (size_t c = 0; c < sizeof large / sizeof *large; c++) {
        bench f = bench_open(&large[c].c);
        for (int smooth = 0; smooth < 2; smooth++) {
            fill_rough(&f.d, &f.b, 3);
            if (smooth)
                fill_smooth(&f.d, &f.b);
            field_fill(&f.x, 0);
            solve_stats stats = tensor_solve(f.solver, &f.b, &f.x, &limits);
            assert_true(stats.converged);
            assert_below(stats.residual, 1e-5);
            check_below(stats.iterations, large[c].iterations, large[c].c.name, __FILE__, __LINE__);
        }
        bench_close(&f);
    }
}

/* The fluxes of the answer have the divergence that was asked for. */
static void test_residual_by_the_fluxes(void **state)
{
    (void)state;
    const solve_limits limits = {.tolerance = 1e-6, .max_iterations = 60};
    for (size_t c = 0; c < sizeof small / sizeof *small; c++) {
        bench f = bench_open(&small[c]);
        field back;
        assert_ok(field_create(&f.d, FR_AT_CELL, &back));
        fill_rough(&f.d, &f.x, 3);
        apply_by_flow(&f.t, &f.x, &f.b);
        field_fill(&f.x, 0);
        assert_true(tensor_solve(f.solver, &f.b, &f.x, &limits).converged);
        apply_by_flow(&f.t, &f.x, &back);
        double size = sqrt(dot(&f.d, &f.b, &f.b) / (double)domain_cells(&f.d));
        check_below(largest_difference(&f.d, &back, &f.b), 1e-5 * size, small[c].name, __FILE__, __LINE__);
        field_destroy(&back);
        bench_close(&f);
    }
}

/* −∇²p with p = sin(πx) sin(πy) on the unit square, p = 0 all round, the grid inside bent. */
static void map_bent_square(const domain *d, const double s[3], double x[3])
{
    double u = s[0] / d->n[0], v = s[1] / d->n[1];
    x[0] = u + 0.1 * sin(CASE_PI * u) * sin(CASE_PI * v);
    x[1] = v - 0.08 * sin(2 * CASE_PI * u) * sin(CASE_PI * v);
    x[2] = 0;
}

static double bent_square_error(int n)
{
    tensor_case c = {"bent square", {n, n, 1}, map_bent_square, CASE_FIXED, NULL};
    bench f = bench_open(&c);
    double exact_most = 0;
    field exact;
    assert_ok(field_create(&f.d, FR_AT_CELL, &exact));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double s[3] = {i + 0.5, j + 0.5, 0}, x[3];
            map_bent_square(&f.d, s, x);
            double u = s[0] / n, v = s[1] / n, pi = CASE_PI;
            double volume =
                ((1 + 0.1 * pi * cos(pi * u) * sin(pi * v)) * (1 - 0.08 * pi * sin(2 * pi * u) * cos(pi * v)) +
                 0.1 * pi * sin(pi * u) * cos(pi * v) * 0.16 * pi * cos(2 * pi * u) * sin(pi * v)) /
                (n * n);
            double p = sin(pi * x[0]) * sin(pi * x[1]);
            field_row(&exact, j, 0)[i] = (float)p;
            field_row(&f.b, j, 0)[i] = (float)(2 * pi * pi * p * volume);
            exact_most = fmax(exact_most, p);
        }
    const solve_limits limits = {.tolerance = 1e-6, .max_iterations = 60};
    assert_true(tensor_solve(f.solver, &f.b, &f.x, &limits).converged);
    double error = largest_difference(&f.d, &f.x, &exact) / exact_most;
    field_destroy(&exact);
    bench_close(&f);
    return error;
}

static void test_second_order_on_a_bent_square(void **state)
{
    (void)state;
    double coarse = bent_square_error(24), fine = bent_square_error(48), finer = bent_square_error(96);
    assert_below(finer, 2e-3);
    assert_true(log2(coarse / fine) > 1.7 && log2(fine / finer) > 1.7);
}

/* number·A + extra: against the fluxes, with a start that is not 0. */
static void test_extra_and_number(void **state)
{
    (void)state;
    bench f = bench_open(&small[4]);
    field extra, wanted;
    assert_ok(field_create(&f.d, FR_AT_CELL, &extra));
    assert_ok(field_create(&f.d, FR_AT_CELL, &wanted));
    fill_rough(&f.d, &wanted, 11);
    apply_by_flow(&f.t, &wanted, &f.b);
    for (int j = 0; j < f.d.n[1]; j++)
        for (int i = 0; i < f.d.n[0]; i++) {
            float e = 1 + 0.5f * (float)check_noise((uint64_t)(i + 100 * j));
            field_row(&extra, j, 0)[i] = e;
            field_row(&f.b, j, 0)[i] = 0.3f * field_row(&f.b, j, 0)[i] + e * field_row(&wanted, j, 0)[i];
        }
    fill_rough(&f.d, &f.x, 5);
    assert_ok(tensor_solver_set(f.solver, &f.t, 0.3, &extra));
    const solve_limits limits = {.tolerance = 1e-6, .max_iterations = 40};
    assert_true(tensor_solve(f.solver, &f.b, &f.x, &limits).converged);
    assert_below(largest_difference(&f.d, &f.x, &wanted), 1e-5);
    field_destroy(&extra);
    field_destroy(&wanted);
    bench_close(&f);
}

static void test_same_bits_on_one_and_two_threads(void **state)
{
    (void)state;
    const solve_limits limits = {.tolerance = 1e-5, .max_iterations = 60};
    for (size_t c = 8; c < sizeof large / sizeof *large; c++) {
        bench f = bench_open(&large[c].c);
        field other;
        assert_ok(field_create(&f.d, FR_AT_CELL, &other));
        fill_rough(&f.d, &f.b, 9);
        for (int threads = 1; threads <= 2; threads++) {
            fr_set_threads(threads);
            assert_ok(tensor_solver_set(f.solver, &f.t, 1, NULL));
            field *x = threads == 1 ? &f.x : &other;
            assert_true(tensor_solve(f.solver, &f.b, x, &limits).converged);
        }
        fr_set_threads(0);
        assert_true(largest_difference(&f.d, &f.x, &other) == 0);
        field_destroy(&other);
        bench_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fluxes_are_the_slope_of_an_energy), cmocka_unit_test(test_matrix_is_that_of_the_fluxes),
        cmocka_unit_test(test_few_iterations_on_any_grid),        cmocka_unit_test(test_residual_by_the_fluxes),
        cmocka_unit_test(test_second_order_on_a_bent_square),     cmocka_unit_test(test_extra_and_number),
        cmocka_unit_test(test_same_bits_on_one_and_two_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
