/* Synthetic turbulence: strength, spectrum, no divergence on the grid, a pure function of position and time. */
#include <stdlib.h>

#include "base/vec.h"
#include "mac/turbulence.h"
#include "support/check.h"

static const double still[3] = {0, 0, 0};

static domain box(int dims, int cells, bool periodic)
{
    domain d = {.dims = dims,
                .n = {cells, cells, dims == 3 ? cells : 1},
                .h = {1.0 / cells, 1.0 / cells, dims == 3 ? 1.0 / cells : 1}};
    for (int a = 0; a < dims; a++)
        d.periodic[a] = periodic;
    return d;
}

static turbulence *eddies(const domain *d, double speed, double length, int seed)
{
    turbulence *t;
    fr_turbulence_def def = {.speed = speed, .length = length, .seed = seed};
    assert_ok(turbulence_create(&def, d, still, &t));
    return t;
}

/* Over a sample far larger than the eddies. */
static void test_the_speed_is_the_one_asked_for(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int seed = 0; seed < 4; seed++) {
            domain d = box(dims, 64, false);
            turbulence *t = eddies(&d, 0.7, 0.1, seed);
            double square[3] = {0, 0, 0}, sum[3] = {0, 0, 0};
            const int samples = 20000;
            for (int n = 0; n < samples; n++) {
                double at[3] = {20 * check_noise((uint64_t)n), 20 * check_noise((uint64_t)n + 777777),
                                dims == 3 ? 20 * check_noise((uint64_t)n + 1555555) : 0},
                       u[3];
                turbulence_at(t, at, 30 * check_noise((uint64_t)n + 3111111), u);
                for (int a = 0; a < 3; a++) {
                    square[a] += u[a] * u[a] / samples;
                    sum[a] += u[a] / samples;
                }
            }
            double rms = sqrt(square[0] + square[1] + square[2]);
            print_message("%dD, seed %d: rms %.4f, by axis %.3f %.3f %.3f\n", dims, seed, rms, sqrt(square[0]),
                          sqrt(square[1]), sqrt(square[2]));
            assert_near(rms, 0.7, 0.05 * 0.7);
            for (int a = 0; a < dims; a++) {
                assert_near(sqrt(square[a]), 0.7 / sqrt(dims), 0.15 * 0.7 / sqrt(dims));
                assert_near(sum[a], 0, 0.03 * 0.7);
            }
            turbulence_destroy(t);
        }
}

static double component(const turbulence *t, const domain *d, int a, int i, int j, int k, double time)
{
    double at[3] = {(i + 0.5) * d->h[0], (j + 0.5) * d->h[1], d->dims == 3 ? (k + 0.5) * d->h[2] : 0}, u[3];
    at[a] -= 0.5 * d->h[a];
    turbulence_at(t, at, time, u);
    return u[a];
}

/* Faces of the staggered grid balance to rounding, although the smallest waves are two cells long; in a periodic box
   the flow repeats, and its rms over the box is exact, for whole waves are orthogonal there. */
static void test_no_divergence_on_the_grid(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int periodic = 0; periodic < 2; periodic++) {
            domain d = box(dims, 16, periodic);
            turbulence *t = eddies(&d, 1, 0.5, 3);
            double worst = 0, square = 0;
            for (int k = 0; k < d.n[2]; k++)
                for (int j = 0; j < d.n[1]; j++)
                    for (int i = 0; i < d.n[0]; i++) {
                        double time = periodic ? 0 : 0.37, sum = 0;
                        for (int a = 0; a < dims; a++) {
                            double low = component(t, &d, a, i, j, k, time);
                            sum += (component(t, &d, a, i + (a == 0), j + (a == 1), k + (a == 2), time) - low) / d.h[a];
                            square += low * low / (d.n[0] * d.n[1] * d.n[2]);
                        }
                        worst = fmax(worst, fabs(sum));
                    }
            assert_below(worst, 1e-10);
            for (int a = 0; a < dims && periodic; a++)
                assert_near(component(t, &d, a, 0, 3, 5, 0), component(t, &d, a, 16, 3, 5, 0), 1e-12);
            if (periodic)
                assert_near(sqrt(square), 1, 0.05);
            turbulence_destroy(t);
        }
}

/* A row by rotation is the same as place by place, beyond the length of a piece too. */
static void test_rows_are_places(void **state)
{
    (void)state;
    domain d = box(3, 32, false);
    turbulence *t = eddies(&d, 1, 0.3, 5);
    for (int axis = 0; axis < 3; axis++) {
        turbulence_line line = {.start = {0.1, 0.2, 0.3}, .spacing = 0.013, .axis = axis, .n = 600, .component = 1};
        float values[600];
        for (int i = 0; i < 600; i++)
            values[i] = 2;
        turbulence_add_line(t, &line, 1.7, values);
        for (int i = 0; i < 600; i++) {
            double at[3] = {0.1, 0.2, 0.3}, u[3];
            at[axis] += i * 0.013;
            turbulence_at(t, at, 1.7, u);
            assert_near(values[i], 2 + u[1], 1e-6);
        }
    }
    turbulence_destroy(t);
}

/* Frozen in the mean flow: what is here now was upstream a moment ago, but for the waves' own slow change. */
static void test_the_mean_flow_carries_them(void **state)
{
    (void)state;
    domain d = box(3, 32, false);
    const double mean[3] = {50, 0, 0};
    fr_turbulence_def def = {.speed = 0.5, .length = 0.2};
    turbulence *t;
    assert_ok(turbulence_create(&def, &d, mean, &t));
    double moment = 1e-3, here[3], upstream[3];
    turbulence_at(t, (double[3]){0.3, 0.4, 0.5}, moment, here);
    turbulence_at(t, (double[3]){0.3 - 50 * moment, 0.4, 0.5}, 0, upstream);
    for (int a = 0; a < 3; a++)
        assert_near(here[a], upstream[a], 0.02);
    turbulence_destroy(t);
}

/* Velocity differences over a distance r grow as r^(2/3) in their square where the spectrum is k^(−5/3). */
static void test_the_spectrum_is_kolmogorovs(void **state)
{
    (void)state;
    domain d = box(3, 512, false);
    turbulence *t;
    fr_turbulence_def def = {.speed = 1, .length = 0.5, .modes = 400};
    assert_ok(turbulence_create(&def, &d, still, &t));
    double structure[2] = {0, 0};
    const double distance[2] = {0.02, 0.06};
    for (int n = 0; n < 4000; n++)
        for (int r = 0; r < 2; r++) {
            double at[3] = {9 * check_noise((uint64_t)n), 9 * check_noise((uint64_t)n + 55555),
                            9 * check_noise((uint64_t)n + 99999)},
                   u[3], v[3];
            turbulence_at(t, at, 0, u);
            at[0] += distance[r];
            turbulence_at(t, at, 0, v);
            structure[r] += vec3_dot(vec3_sub(vec3_of(u), vec3_of(v)), vec3_sub(vec3_of(u), vec3_of(v)));
        }
    double exponent = log(structure[1] / structure[0]) / log(3);
    print_message("structure function: r^%.3f\n", exponent);
    assert_near(exponent, 2.0 / 3, 0.12);
    turbulence_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_speed_is_the_one_asked_for),
        cmocka_unit_test(test_no_divergence_on_the_grid),
        cmocka_unit_test(test_rows_are_places),
        cmocka_unit_test(test_the_mean_flow_carries_them),
        cmocka_unit_test(test_the_spectrum_is_kolmogorovs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
