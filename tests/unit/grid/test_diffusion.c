/* Implicit diffusion of cells and faces. */
#include "grid/diffusion.h"

#include "support/check.h"

static const solve_limits limits = {.tolerance = 1e-7, .max_iterations = 100};

/* A x of the backward-Euler system at a sample, from the definition. */
static double applied(const domain *d, const field *f, const int at[3], double number)
{
    double sum = field_row(f, at[1], at[2])[at[0]], own = sum;
    for (int a = 0; a < d->dims; a++)
        for (int end = -1; end <= 1; end += 2) {
            int to[3] = {at[0], at[1], at[2]};
            to[a] += end;
            if (to[a] >= 0 && to[a] < f->size[a])
                sum += number / (d->h[a] * d->h[a]) * (own - field_row(f, to[1], to[2])[to[0]]);
        }
    return sum;
}

static void test_cells_of_a_closed_box(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        domain d = {.dims = dims, .n = {7, 5, dims == 3 ? 4 : 1}, .h = {0.1, 0.2, dims == 3 ? 0.15 : 1}};
        diffusion *solver;
        field f, before;
        assert_ok(diffusion_create(&d, &solver));
        assert_ok(field_create(&d, FR_AT_CELL, &f));
        assert_ok(field_create(&d, FR_AT_CELL, &before));
        for (size_t i = 0; i < f.count; i++)
            f.block[i] = (float)check_noise(i);
        field_copy(&before, &f);
        halo_side sides[6] = {{.kind = HALO_EVEN}};
        diffusion_problem problem = {.number = 0.01, .sides = sides};
        assert_true(diffusion_solve(solver, &f, &problem, &limits).converged);
        for (int k = 0; k < d.n[2]; k++)
            for (int j = 0; j < d.n[1]; j++)
                for (int i = 0; i < d.n[0]; i++)
                    assert_near(applied(&d, &f, (int[3]){i, j, k}, 0.01), field_row(&before, j, k)[i], 2e-6);
        field_destroy(&f);
        field_destroy(&before);
        diffusion_destroy(solver);
    }
}

/* Samples on the sides and in obstacles keep their value, and their neighbours feel it: a steady line between them. */
static void test_fixed_samples_are_kept_and_felt(void **state)
{
    (void)state;
    domain d = {.dims = 2, .n = {8, 3, 1}, .h = {1, 1, 1}};
    diffusion *solver;
    field u;
    assert_ok(diffusion_create(&d, &solver));
    assert_ok(field_create(&d, FR_AT_FACE_X, &u));
    halo_side sides[6] = {{.kind = HALO_EVEN}};
    uint8_t *marks = test_calloc(u.count, 1);
    for (int with_marks = 0; with_marks < 2; with_marks++) {
        field_fill(&u, 0);
        for (int j = 0; j < 3; j++) {
            field_row(&u, j, 0)[0] = 1;
            field_row(&u, j, 0)[8] = 5;
        }
        diffusion_problem problem = {
            .number = 1e5, .sides = sides, .fixed_sides = {true, true}, .marks = with_marks ? marks : NULL};
        assert_true(diffusion_solve(solver, &u, &problem, &limits).converged);
        for (int i = 0; i <= 8; i++)
            assert_near(field_row(&u, 1, 0)[i], 1 + 0.5 * i, 2e-3);
        assert_near(field_row(&u, 1, 0)[0], 1, 0);
        assert_near(field_row(&u, 1, 0)[8], 5, 0);
    }
    test_free(marks);
    field_destroy(&u);
    diffusion_destroy(solver);
}

static void test_one_cell_keeps_its_value(void **state)
{
    (void)state;
    domain d = {.dims = 2, .n = {1, 1, 1}, .h = {1, 1, 1}};
    diffusion *solver;
    field f;
    assert_ok(diffusion_create(&d, &solver));
    assert_ok(field_create(&d, FR_AT_CELL, &f));
    f.data[0] = 7;
    halo_side sides[6] = {{.kind = HALO_EVEN}};
    diffusion_problem problem = {.number = 3, .sides = sides};
    diffusion_solve(solver, &f, &problem, &limits);
    assert_near(f.data[0], 7, 1e-6);
    field_destroy(&f);
    diffusion_destroy(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_of_a_closed_box),
        cmocka_unit_test(test_fixed_samples_are_kept_and_felt),
        cmocka_unit_test(test_one_cell_keeps_its_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
