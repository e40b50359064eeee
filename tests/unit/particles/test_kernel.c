/* Smoothing kernels: constants by integration, gradients by differences, and sums over a lattice. */
#include "support/check.h"

#include <freshet/base.h>

#include "base/vec.h"
#include "particles/kernel.h"

/* Surface of the unit sphere in 1, 2 and 3 dimensions. */
static const double sphere[3] = {2, 2 * FR_PI, 4 * FR_PI};

/* Midpoint rule over the support. */
static double integral(const kernel *k, double (*f)(const kernel *, double))
{
    enum { N = 20000 };
    double sum = 0, dr = k->support / N;
    for (int i = 0; i < N; i++) {
        double r = (i + 0.5) * dr;
        sum += f(k, r) * pow(r, k->dims - 1) * dr;
    }
    return sphere[k->dims - 1] * sum;
}

/* ∫ −r dW/dr / dims = ∫ W where W vanishes at the edge: holds for the slope by itself, also for that of the spiky
 * kernel. */
static double slope_weight(const kernel *k, double r) { return -r * r * kernel_slope(k, r) / k->dims; }

/* What a kernel's slope makes of a gradient: all of it where the kernel vanishes at its edge; less what is cut off the
 * Gaussian. */
static double slope_whole(const kernel *k)
{
    return 1 - sphere[k->dims - 1] / k->dims * pow(k->support, k->dims) * kernel_value(k, k->support * (1 - 1e-6));
}

static void test_integrals_are_one(void **state)
{
    (void)state;
    for (fr_kernel kind = 0; kind < FR_KERNELS; kind++)
        for (int dims = 1; dims <= 3; dims++)
            for (double support = 0.02; support < 5; support *= 10) {
                kernel k = kernel_of(kind, dims, support);
                assert_near(integral(&k, kernel_value), 1, 2e-6);
                assert_near(integral(&k, slope_weight), slope_whole(&k), 3e-6);
            }
}

static void test_slopes_are_differences_of_values(void **state)
{
    (void)state;
    for (fr_kernel kind = 0; kind < FR_KERNELS; kind++)
        for (int dims = 1; dims <= 3; dims++) {
            kernel k = kernel_of(kind, dims, 2);
            double unit = kernel_value(&k, 0);
            for (double r = 0.05; r < 1.95 && kind != FR_KERNEL_POLY6; r += 0.05) {
                double difference = (kernel_value(&k, r + 0.004) - kernel_value(&k, r - 0.004)) / 0.008;
                assert_near(r * kernel_slope(&k, r), difference, 2e-4 * unit);
            }
        }
}

static void test_nothing_outside_and_nothing_negative(void **state)
{
    (void)state;
    for (fr_kernel kind = 0; kind < FR_KERNELS; kind++) {
        kernel k = kernel_of(kind, 3, 0.5);
        assert_near(kernel_reach(kind) * k.length, 0.5, 1e-12);
        assert_near(kernel_value(&k, 0.5), 0, 0);
        assert_near(kernel_slope(&k, 0.7), 0, 0);
        for (double r = 0; r < 0.5; r += 0.01) {
            assert_true(kernel_value(&k, r) >= 0);
            assert_true(kernel_slope(&k, r) <= 0);
            assert_true(isfinite(kernel_slope(&k, r)));
        }
    }
}

/* Σ V W, and by how much Σ V f ∇W misses the gradient of a linear f, on a lattice of spacing 1 that begins at
   `from`. */
static void lattice(const kernel *k, const double from[3], double *unity, double gradient[3])
{
    static const double slope[3] = {0.3, -1.1, 0.7};
    int reach = (int)ceil(k->support) + 1, depth = k->dims == 3 ? reach : 0;
    *unity = gradient[0] = gradient[1] = gradient[2] = 0;
    for (int z = -depth; z <= depth; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                double at[3] = {x - from[0], y - from[1], k->dims == 3 ? z - from[2] : 0};
                double r = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
                *unity += kernel_value(k, r);
                for (int a = 0; a < k->dims; a++)   /* ∇W(x_i − x_j) with x_i in the origin */
                    gradient[a] +=
                        (slope[0] * at[0] + slope[1] * at[1] + slope[2] * at[2]) * kernel_slope(k, r) * -at[a];
            }
    for (int a = 0; a < k->dims; a++)
        gradient[a] -= slope[a] * slope_whole(k);
}

/* Wide kernels sum to one and take gradients of linear fields nearly exactly, wherever they stand between the points;
   the narrow supports of every day are off by what is written here. */
static void test_partition_of_unity_and_gradients_on_lattices(void **state)
{
    (void)state;
    static const double places[3][3] = {{0, 0, 0}, {0.5, 0.25, 0.1}, {0.5, 0.5, 0.5}};
    for (fr_kernel kind = 0; kind < FR_KERNELS; kind++)
        for (int dims = 2; dims <= 3; dims++)
            for (int p = 0; p < 3; p++) {
                kernel wide = kernel_of(kind, dims, 6);
                double unity, gradient[3];
                lattice(&wide, places[p], &unity, gradient);
                assert_near(unity, 1, 0.01);
                for (int a = 0; a < dims; a++)
                    assert_near(gradient[a], 0, 0.02);
            }
    kernel common = kernel_of(FR_KERNEL_CUBIC, 3, 2);
    double unity, gradient[3];
    lattice(&common, places[0], &unity, gradient);
    assert_near(unity, 1, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integrals_are_one),
        cmocka_unit_test(test_slopes_are_differences_of_values),
        cmocka_unit_test(test_nothing_outside_and_nothing_negative),
        cmocka_unit_test(test_partition_of_unity_and_gradients_on_lattices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
