/* Sorted cells and neighbour lists, compared with brute force over all pairs. */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "particles/pairs.h"

typedef struct cloud {
    cells_layout layout;
    cells cells;
    int64_t count;
    particle_vector *unsorted, *position;
    float *x, *y, *z, *density;
    particle_vector *gradient;
    pairs pairs;
    kernel kernel;
    double spacing;
} cloud;

static cloud *cloud_of(int dims, int64_t count, bool periodic, fr_kernel kind)
{
    static const double low[3] = {-0.3, 0.2, 0}, high[3] = {0.7, 1.5, 0.8};
    bool around[3] = {periodic, periodic, periodic};
    cloud *c = calloc(1, sizeof *c);
    c->count = count;
    c->spacing = 0.08;
    c->kernel = kernel_of(kind, dims, 2.2 * c->spacing);
    c->layout = cells_layout_of(dims, low, high, around, c->kernel.support);
    c->unsorted = MEMORY_NEW(particle_vector, count + WIDE);
    c->position = MEMORY_NEW(particle_vector, count + WIDE);
    c->x = MEMORY_NEW(float, count + WIDE);
    c->y = MEMORY_NEW(float, count + WIDE);
    c->z = MEMORY_NEW(float, count + WIDE);
    c->density = MEMORY_NEW(float, count);
    c->gradient = MEMORY_NEW(particle_vector, count);
    for (int64_t n = 0; n < count; n++)
        for (int a = 0; a < dims; a++)
            c->unsorted[n][a] =
                (float)(low[a] + 0.4999 * (1 + check_noise((uint64_t)(3 * n + a))) * (high[a] - low[a]));
    assert_ok(cells_reserve(&c->cells, &c->layout, count));
    cells_sort(&c->cells, c->unsorted, count);
    cells_reorder(&c->cells, count, sizeof(particle_vector), c->unsorted, c->position);
    for (int64_t n = 0; n < count; n++) {
        c->x[n] = c->position[n][0];
        c->y[n] = c->position[n][1];
        c->z[n] = c->position[n][2];
    }
    return c;
}

static void cloud_find(cloud *c)
{
    pairs_set own = {.cells = &c->cells, .x = c->x, .y = c->y, .z = c->z, .count = c->count};
    pairs_search search = {.kernel = c->kernel,
                           .spacing = c->spacing,
                           .volume = pow(c->spacing, c->layout.dims),
                           .of = own,
                           .near = own,
                           .sums = {c->density, c->gradient}};
    assert_ok(pairs_find(&search, &c->pairs));
}

static void cloud_free(cloud *c)
{
    cells_destroy(&c->cells);
    pairs_destroy(&c->pairs);
    memory_free(c->unsorted);
    memory_free(c->position);
    memory_free(c->x);
    memory_free(c->y);
    memory_free(c->z);
    memory_free(c->density);
    memory_free(c->gradient);
    free(c);
}

/* x_i − x_j, the shortest way round where sides are periodic. */
static double separation(const cloud *c, int64_t i, int64_t j, double x[3])
{
    double square = 0;
    for (int a = 0; a < 3; a++) {
        x[a] = (double)c->position[i][a] - (double)c->position[j][a];
        if (c->layout.periodic[a])
            x[a] -= (double)c->layout.length[a] * round(x[a] / (double)c->layout.length[a]);
        square += x[a] * x[a];
    }
    return sqrt(square);
}

static void test_sorting_keeps_everyone_and_puts_them_in_their_cells(void **state)
{
    (void)state;
    cloud *c = cloud_of(3, 5000, false, FR_KERNEL_CUBIC);
    uint8_t *seen = calloc(5000, 1);
    for (int64_t k = 0; k < c->layout.count; k++)
        for (int32_t n = c->cells.start[k]; n < c->cells.start[k + 1]; n++) {
            int at[3];
            for (int a = 0; a < 3; a++)
                at[a] = cells_along(&c->layout, a, c->position[n][a]);
            assert_int_equal(cells_number(&c->layout, at), k);
            assert_int_equal(c->cells.of[n], k);
            assert_false(seen[c->cells.order[n]]);
            assert_true(n == c->cells.start[k] || c->cells.order[n] > c->cells.order[n - 1]);
            seen[c->cells.order[n]] = 1;
        }
    assert_int_equal(c->cells.start[c->layout.count], 5000);
    free(seen);
    cloud_free(c);
}

/* Every pair within the support is there once, with its gradient, and no other; sums are those of the plain way. */
static void check_against_all(cloud *c)
{
    double volume = pow(c->spacing, c->layout.dims);
    uint8_t *found = malloc((size_t)c->count);
    for (int64_t i = 0; i < c->count; i += 7) {
        double density = volume * kernel_value(&c->kernel, 0), gradient[3] = {0}, scale = 0;
        memset(found, 0, (size_t)c->count);
        assert_int_equal(c->pairs.number[i] % 2, 0);
        for (int64_t k = c->pairs.begin[i]; k < pairs_end(&c->pairs, i); k++) {
            wide record = pairs_load(&c->pairs.record[k]);
            int32_t j = c->pairs.other[k];
            double x[3], r = separation(c, i, j, x);
            if (j == i) {
                assert_near((double)(fabsf(record[0]) + fabsf(record[1]) + fabsf(record[2])), 0, 0);
                continue;
            }
            assert_false(found[j]);
            found[j] = 1;
            double slope = c->spacing * volume * kernel_slope(&c->kernel, r);
            assert_near((double)record[3], r / c->kernel.support, 1e-3);
            for (int a = 0; a < 3; a++)
                assert_near((double)record[a], slope * x[a], 1e-3 * fabs(slope * r) + 1e-4);
        }
        for (int64_t j = 0; j < c->count; j++) {
            double x[3], r = separation(c, i, j, x);
            bool near = j != i && r < c->kernel.support * (1 - 1e-6);
            assert_true(found[j] || !near);
            assert_true(!found[j] || r < c->kernel.support * (1 + 1e-6));
            if (!near)
                continue;
            density += volume * kernel_value(&c->kernel, r);
            for (int a = 0; a < 3; a++)
                gradient[a] += c->spacing * volume * kernel_slope(&c->kernel, r) * x[a];
            scale += fabs(c->spacing * volume * kernel_slope(&c->kernel, r) * r);
        }
        assert_near((double)c->density[i], density, 1e-4 * density);
        for (int a = 0; a < 3; a++)
            assert_near((double)c->gradient[i][a], gradient[a], 1e-3 * scale + 1e-3);
    }
    free(found);
}

static void test_pairs_are_those_of_the_plain_way(void **state)
{
    (void)state;
    for (fr_kernel kind = 0; kind < FR_KERNELS; kind++)
        for (int dims = 2; dims <= 3; dims++)
            for (int periodic = 0; periodic < 2; periodic++) {
                cloud *c = cloud_of(dims, dims == 3 ? 1800 : 300, periodic, kind);
                cloud_find(c);
                check_against_all(c);
                cloud_free(c);
            }
}

/* So many in one place that their candidates must be taken in several goes, and the lists grow. */
static void test_heaps(void **state)
{
    (void)state;
    cloud *c = cloud_of(3, 3000, false, FR_KERNEL_CUBIC);
    for (int64_t n = 0; n < c->count; n++)
        for (int a = 0; a < 3; a++)
            c->unsorted[n][a] = (float)(0.4 + 0.1 * check_noise((uint64_t)(3 * n + a)));
    cells_sort(&c->cells, c->unsorted, c->count);
    cells_reorder(&c->cells, c->count, sizeof(particle_vector), c->unsorted, c->position);
    for (int64_t n = 0; n < c->count; n++) {
        c->x[n] = c->position[n][0];
        c->y[n] = c->position[n][1];
        c->z[n] = c->position[n][2];
    }
    cloud_find(c);
    check_against_all(c);
    cloud_free(c);
}

/* Rounding is the same both ways: what one particle feels of another, that one feels of it. */
static void test_gradients_are_equal_and_opposite(void **state)
{
    (void)state;
    cloud *c = cloud_of(3, 1500, false, FR_KERNEL_WENDLAND);
    cloud_find(c);
    double sum[3] = {0};
    for (int64_t i = 0; i < c->count; i++)
        for (int64_t k = c->pairs.begin[i]; k < pairs_end(&c->pairs, i); k++)
            for (int a = 0; a < 3; a++)
                sum[a] += (double)pairs_load(&c->pairs.record[k])[a];
    for (int a = 0; a < 3; a++)
        assert_near(sum[a], 0, 1e-9);
    cloud_free(c);
}

static void test_same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    cloud *c = cloud_of(3, 4000, true, FR_KERNEL_CUBIC);
    fr_set_threads(1);
    cloud_find(c);
    float *density = malloc(sizeof(float) * 4000);
    particle_vector *gradient = malloc(sizeof(particle_vector) * 4000);
    memcpy(density, c->density, sizeof(float) * 4000);
    memcpy(gradient, c->gradient, sizeof(particle_vector) * 4000);
    fr_set_threads(3);
    cloud_find(c);
    assert_memory_equal(density, c->density, sizeof(float) * 4000);
    assert_memory_equal(gradient, c->gradient, sizeof(particle_vector) * 4000);
    fr_set_threads(0);
    free(density);
    free(gradient);
    cloud_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorting_keeps_everyone_and_puts_them_in_their_cells),
        cmocka_unit_test(test_pairs_are_those_of_the_plain_way),
        cmocka_unit_test(test_heaps),
        cmocka_unit_test(test_gradients_are_equal_and_opposite),
        cmocka_unit_test(test_same_bits_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
