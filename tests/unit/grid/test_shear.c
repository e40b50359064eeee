/* Shear rates of flows that are linear in space are exact everywhere, in cells and on edges. */
#include "grid/shear.h"

#include <math.h>

#include "support/check.h"

/* ∂u_a/∂x_b, 1/s */
static const double slope[3][3] = {{0.5, 2, -1}, {0.7, -0.2, 0.4}, {1.5, -0.6, -0.3}};

static double wanted(int dims)
{
    double square = 0;
    for (int a = 0; a < dims; a++)
        for (int b = 0; b < dims; b++) {
            const double d = 0.5 * (slope[a][b] + slope[b][a]);
            square += 2 * d * d;
        }
    return square;
}

static void fill_linear(const domain *d, int a, field *u)
{
    for (int k = d->dims == 3 ? -GHOST : 0; k < u->size[2] + (d->dims == 3 ? GHOST : 0); k++)
        for (int j = -GHOST; j < u->size[1] + GHOST; j++)
            for (int i = -GHOST; i < u->size[0] + GHOST; i++) {
                double at[3];
                field_position(u, d, (ptrdiff_t[3]){i, j, k}, at);
                double sum = 0;
                for (int b = 0; b < d->dims; b++)
                    sum += slope[a][b] * at[b];
                field_row(u, j, k)[i] = (float)sum;
            }
}

/* The edges have one sample more along both axes across them. */
static void check_edges(const domain *d, int c, const field *edges)
{
    for (int k = 0; k < d->n[2] + (d->dims == 3 && c != 2); k++)
        for (int j = 0; j < d->n[1] + (c != 1); j++)
            for (int i = 0; i < d->n[0] + (c != 0); i++)
                assert_near(field_row(edges, j, k)[i] / wanted(d->dims), 1, 2e-5);
}

static void check_linear(int dims)
{
    domain d = {.dims = dims, .n = {7, 6, dims == 3 ? 5 : 1}, .h = {0.1, 0.12, 0.2}, .origin = {0.3, 0.1, -0.2}};
    field velocity[3] = {0}, edges[3] = {0}, cells, rest;
    assert_int_equal(field_create(&d, FR_AT_CELL, &cells), FR_OK);
    assert_int_equal(field_create(&d, FR_AT_CELL, &rest), FR_OK);
    for (int a = 0; a < dims; a++) {
        assert_int_equal(field_create(&d, field_face(a), &velocity[a]), FR_OK);
        fill_linear(&d, a, &velocity[a]);
    }
    for (int c = dims == 2 ? 2 : 0; c < 3; c++) {
        assert_int_equal(field_create(&d, FR_AT_CELL, &edges[c]), FR_OK);
        shear_on_edges(&d, velocity, c, &edges[c]);
    }
    shear_in_cells(&d, velocity, edges, &cells);
    for (int k = 0; k < d.n[2]; k++)
        for (int j = 0; j < d.n[1]; j++)
            for (int i = 0; i < d.n[0]; i++)
                assert_near(field_row(&cells, j, k)[i] / wanted(dims), 1, 2e-5);
    for (int c = dims == 2 ? 2 : 0; c < 3; c++) {
        shear_around_edges(&d, &cells, c, &rest, &edges[c]);
        check_edges(&d, c, &edges[c]);
    }
    for (int a = 0; a < 3; a++) {
        field_destroy(&velocity[a]);
        field_destroy(&edges[a]);
    }
    field_destroy(&cells);
    field_destroy(&rest);
}

static void test_linear_flows(void **state)
{
    (void)state;
    check_linear(2);
    check_linear(3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_linear_flows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
