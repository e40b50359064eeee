/* Gradients and fluxes on curvilinear grids: Laplacians of known functions, uniform flow, closed solids. */
#include "bent_grid.h"

#include "grid/curve/weights.h"

/* A field p of the world, its gradient's flow and the sum of that out of each cell. */
typedef struct flow_case {
    bent_grid grid;
    curve c;
    tensor t;
    field p, flow[3];
} flow_case;

static flow_case make_flow(bent_map map, const int cells[3], bool around, const uint8_t *solid)
{
    flow_case f = {.grid = bent_make(map, cells[0], cells[1], cells[2])};
    f.grid.def.periodic[0] = around;
    bent_create(&f.grid, &f.c);
    tensor_side sides[6] = {TENSOR_CLOSED};
    sides[0] = sides[1] = around ? TENSOR_PERIODIC : TENSOR_CLOSED;
    assert_ok(tensor_create(&f.c.domain, sides, &f.t));
    curve_weights(&f.c, solid, &f.t);
    assert_ok(field_create(&f.c.domain, FR_AT_CELL, &f.p));
    for (int a = 0; a < f.c.domain.dims; a++)
        assert_ok(field_create(&f.c.domain, field_face(a), &f.flow[a]));
    return f;
}

static void destroy_flow(flow_case *f)
{
    for (int a = 0; a < f->c.domain.dims; a++)
        field_destroy(&f->flow[a]);
    field_destroy(&f->p);
    tensor_destroy(&f->t);
    curve_destroy(&f->c);
    free(f->grid.node);
}

static void set_pressure(flow_case *f, double (*p)(vec3 x))
{
    const int *n = f->c.domain.n;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                double x[3];
                curve_position(&f->c, (double[3]){i + 0.5, j + 0.5, k + 0.5}, x);
                field_row(&f->p, j, k)[i] = (float)p(vec3_of(x));
            }
    tensor_add_flow(&f->t, &f->p, 1, f->flow);
}

static double laplacian(const flow_case *f, int i, int j, int k)
{
    double sum = 0;
    for (int a = 0; a < f->c.domain.dims; a++) {
        const float *low = f->flow[a].data + field_offset(&f->flow[a], i, j, k);
        sum += (double)low[f->flow[a].stride[a]] - low[0];
    }
    return sum / f->c.volume.data[field_offset(&f->c.volume, i, j, k)];
}

typedef struct laplace_case {
    bent_map map;
    double (*p)(vec3 x), (*expected)(vec3 x);
    int cells[3];
    bool around;
} laplace_case;

/* Greatest error away from the sides, where nothing flows. */
static double laplace_error(const laplace_case *test, int times)
{
    int cells[3] = {test->cells[0] * times, test->cells[1] * times, test->cells[2] * times};
    flow_case f = make_flow(test->map, cells, test->around, NULL);
    set_pressure(&f, test->p);
    const int *n = f.c.domain.n;
    double worst = 0;
    int edge = 2 * times, deep = test->cells[2] ? edge : 0, side = test->around ? 0 : edge;
    for (int k = deep; k < n[2] - deep; k++)
        for (int j = edge; j < n[1] - edge; j++)
            for (int i = side; i < n[0] - side; i++) {
                double x[3];
                curve_position(&f.c, (double[3]){i + 0.5, j + 0.5, k + 0.5}, x);
                worst = fmax(worst, fabs(laplacian(&f, i, j, k) - test->expected(vec3_of(x))));
            }
    destroy_flow(&f);
    return worst;
}

static void assert_second_order(const laplace_case *test, double fine_error)
{
    double coarse = laplace_error(test, 1), fine = laplace_error(test, 2);
    assert_below(fine, fine_error);
    assert_below(1.8, log2(coarse / fine));
}

/* Near the middle of the channel, so that float32 keeps enough digits of second differences. */
static double square(vec3 x)
{
    return (x.x - 1) * (x.x - 1) + (x.y - 0.5) * (x.y - 0.5);
}
static double mirrored_square(vec3 x)
{
    return square((vec3){-x.x, x.y, x.z});
}
static double four(vec3 x)
{
    return 4 + 0 * x.x;
}
static double logarithm(vec3 x)
{
    return log(vec3_length(x));
}
static double zero(vec3 x)
{
    return 0 * x.x;
}
static double waves(vec3 x)
{
    return sin(x.x) + sin(x.y) + sin(x.z);
}
static double minus_waves(vec3 x)
{
    return -waves(x);
}

static void test_laplacian_of_squares_in_a_wavy_channel(void **state)
{
    (void)state;
    assert_second_order(&(laplace_case){bent_wavy, square, four, {40, 20, 0}, false}, 0.08);
    assert_second_order(&(laplace_case){bent_mirrored, mirrored_square, four, {40, 20, 0}, false}, 0.08);
}

static void test_logarithm_is_harmonic_on_a_ring(void **state)
{
    (void)state;
    assert_second_order(&(laplace_case){bent_ring, logarithm, zero, {20, 8, 0}, true}, 3e-4);
}

static void test_laplacian_of_waves_in_a_twisted_pipe(void **state)
{
    (void)state;
    assert_second_order(&(laplace_case){bent_helix, waves, minus_waves, {24, 6, 6}, false}, 0.02);
}

/* Along a grid of parallelograms between banks one cell apart the way is as long as along their sides: w = J/(a·a). */
static vec3 slanted(double s, double t, double r)
{
    return (vec3){6 * s + 0.8 * t + 0.5 * r, t + 0.4 * r, r};
}

static void test_narrow_channels_conduct_along_their_banks(void **state)
{
    (void)state;
    for (int nr = 0; nr <= 1; nr++) {
        flow_case f = make_flow(slanted, (int[3]){6, 1, nr}, false, NULL);
        for (int i = 1; i < 6; i++)
            assert_near(f.t.weight[0].data[i], 1, 1e-6);
        assert_near(f.t.weight[0].data[0], 0, 0);
        assert_near(f.t.weight[1].data[2], 0, 0);
        destroy_flow(&f);
    }
}

static double slope(vec3 x)
{
    return x.x;
}

/* In a wide slanted channel p that falls along the banks drives the same flow everywhere, next to them too. */
static void test_flow_along_slanted_banks_is_even(void **state)
{
    (void)state;
    flow_case f = make_flow(slanted, (int[3]){6, 4, 0}, false, NULL);
    set_pressure(&f, slope);
    for (int j = 0; j < 4; j++)
        for (int i = 2; i < 5; i++)
            assert_near(field_row(&f.flow[0], j, 0)[i], 0.25, 1e-6);
    destroy_flow(&f);
}

static void test_solid_cells_are_closed(void **state)
{
    (void)state;
    uint8_t solid[6 * 4] = {[2 + 6 * 1] = 1};
    flow_case f = make_flow(slanted, (int[3]){6, 4, 0}, true, solid);
    assert_near(field_row(&f.t.weight[0], 1, 0)[2], 0, 0);
    assert_near(field_row(&f.t.weight[0], 1, 0)[3], 0, 0);
    assert_near(field_row(&f.t.weight[1], 1, 0)[2], 0, 0);
    assert_near(field_row(&f.t.weight[1], 2, 0)[2], 0, 0);
    int open = 0;
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 6; i++)
            open += (field_row(&f.t.weight[0], j, 0)[i] > 0) + (field_row(&f.t.weight[1], j, 0)[i] > 0);
    assert_int_equal(open, 24 + 18 - 4);
    assert_true(field_row(&f.t.weight[0], 1, 0)[6] == field_row(&f.t.weight[0], 1, 0)[0]);
    destroy_flow(&f);
}

static double noise(vec3 x)
{
    return check_noise((uint64_t)(int64_t)(1e6 * (x.x + 7 * x.y + 31 * x.z)));
}

/* Energy Σ F δp = −Σ p ∇·F of rough fields on slanted grids with holes. */
static void test_energy_is_never_negative(void **state)
{
    (void)state;
    for (int nr = 0; nr <= 6; nr += 6) {
        uint8_t solid[12 * 8 * 6];
        for (int i = 0; i < 12 * 8 * 6; i++)
            solid[i] = check_noise((uint64_t)i) > 0.7;
        flow_case f = make_flow(slanted, (int[3]){12, 8, nr}, false, solid);
        set_pressure(&f, noise);
        double energy = 0;
        for (int m = 0; m < field_rows(&f.p); m++)
            for (int i = 0; i < 12; i++)
                energy -= laplacian(&f, i, m % 8, m / 8) * field_row(&f.p, m % 8, m / 8)[i];
        assert_true(energy > 0);
        destroy_flow(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laplacian_of_squares_in_a_wavy_channel),
        cmocka_unit_test(test_logarithm_is_harmonic_on_a_ring),
        cmocka_unit_test(test_laplacian_of_waves_in_a_twisted_pipe),
        cmocka_unit_test(test_narrow_channels_conduct_along_their_banks),
        cmocka_unit_test(test_flow_along_slanted_banks_is_even),
        cmocka_unit_test(test_solid_cells_are_closed),
        cmocka_unit_test(test_energy_is_never_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
