/* Transport of second order that gains no energy (grid/carry_balanced.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/carry.h"
#include "grid/extend.h"
#include "grid/halo.h"
#include "support/check.h"

static const double TURN = 6.283185307179586;

/* One component of a velocity and what carries it, in a box of unit cells. */
typedef struct stirred {
    domain d;
    field flow[3], from, to, forward, high;
    uint8_t *map;
    float *ways[3];
    double *partial;
    int64_t *clamps;
} stirred;

static void fill_ghosts(void *context, int load, field *f)
{
    (void)load;
    const stirred *s = context;
    if (s->d.periodic[0])
        halo_fill_even(f, &s->d);
    else
        halo_fill_linear(f, &s->d);
}

static void stirred_make(stirred *s, int dims, int cells, bool periodic)
{
    *s = (stirred){.d = {.dims = dims, .n = {cells, cells, dims == 3 ? cells : 1}, .h = {1, 1, 1}}};
    for (int a = 0; a < dims; a++) {
        s->d.periodic[a] = periodic;
        assert_ok(field_create(&s->d, field_face(a), &s->flow[a]));
    }
    field *fields[] = {&s->from, &s->to, &s->forward, &s->high};
    for (int f = 0; f < 4; f++)
        assert_ok(field_create(&s->d, FR_AT_FACE_X, fields[f]));
    s->map = malloc(s->from.count);
    memset(s->map, EXTEND_OUTSIDE, s->from.count);
    for (int a = 0; a < 3; a++)
        s->ways[a] = calloc(s->from.count, sizeof *s->ways[a]);
    s->partial = calloc(6 * (size_t)(cells + 1) * (size_t)(cells + 1), sizeof *s->partial);
    s->clamps = calloc((size_t)(cells + 1) * (size_t)(cells + 1), sizeof *s->clamps);
}

static void stirred_destroy(stirred *s)
{
    for (int a = 0; a < s->d.dims; a++)
        field_destroy(&s->flow[a]);
    field *fields[] = {&s->from, &s->to, &s->forward, &s->high};
    for (int f = 0; f < 4; f++)
        field_destroy(fields[f]);
    free(s->map);
    for (int a = 0; a < 3; a++)
        free(s->ways[a]);
    free(s->partial);
    free(s->clamps);
}

/* Sets a field by a function of the place, in cells, and fills its ghosts. */
static void stirred_set(stirred *s, field *f, double (*value)(const stirred *s, const double x[3], int axis))
{
    double origin[3];
    field_origin(f, &s->d, origin);
    for (int k = 0; k < f->size[2]; k++)
        for (int j = 0; j < f->size[1]; j++)
            for (int i = 0; i < f->size[0]; i++) {
                double x[3] = {origin[0] + i, origin[1] + j, s->d.dims == 3 ? origin[2] + k : 0};
                field_row(f, j, k)[i] = (float)value(s, x, field_axis(f));
            }
    fill_ghosts(s, 0, f);
}

/* Marks what is known: all, or a ball, and the layers around it. */
static void stirred_mark(stirred *s, double radius)
{
    const double middle = 0.5 * s->d.n[0];
    for (int k = 0; k < s->from.size[2]; k++)
        for (int j = 0; j < s->from.size[1]; j++)
            for (int i = 0; i < s->from.size[0]; i++) {
                double x = i - middle, y = j + 0.5 - middle, z = s->d.dims == 3 ? k + 0.5 - middle : 0;
                bool known = x * x + y * y + z * z < radius * radius;
                s->map[field_row(&s->from, j, k) + i - s->from.block] = known ? EXTEND_KNOWN : EXTEND_FAR;
            }
    extend_number(&s->from, s->map, 4, NULL);
}

static void stirred_carry(stirred *s, carry_kind kind, double dt)
{
    carry c = {.d = &s->d,
               .refine = 1,
               .velocity = s->flow,
               .scale = {(float)dt, (float)dt, (float)dt},
               .kind = kind,
               .loads = {{&s->from, &s->to, s->forward, s->high}},
               .load_count = 1,
               .fill_ghosts = fill_ghosts,
               .context = s,
               .where = s->map,
               .clamps = s->clamps,
               .ways = {s->ways[0], s->ways[1], s->ways[2]},
               .partial = s->partial};
    carry_run(&c);
    fill_ghosts(s, 0, &s->to);
    field_swap(&s->from, &s->to);
}

static double stirred_energy(const stirred *s)
{
    double sum = 0;
    for (int k = 0; k < s->from.size[2]; k++)
        for (int j = 0; j < s->from.size[1]; j++)
            for (int i = 0; i < s->d.n[0]; i++) /* the last face is the first */
                sum += pow((double)field_row(&s->from, j, k)[i], 2);
    return sum;
}

/* Eddies of speed 1 in x and y, free of divergence. */
static double eddies(const stirred *s, const double x[3], int axis)
{
    double a = TURN * x[0] / s->d.n[0], b = TURN * x[1] / s->d.n[1];
    return axis == 0 ? sin(a) * cos(b) : axis == 1 ? -cos(a) * sin(b) : 0;
}
static double wave(const stirred *s, const double x[3], int axis)
{
    (void)axis;
    return 1 + cos(TURN * x[0] / s->d.n[0]) + sin(TURN * x[1] / s->d.n[1]);
}
static double noise(const stirred *s, const double x[3], int axis)
{
    (void)axis;
    return check_noise((uint64_t)(x[0] + 100 * x[1] + 10000 * x[2]) % (uint64_t)(1000 * s->d.n[0]));
}

/* The most energy over that at the start, and what is left of it at the end. */
static void stir(int dims, carry_kind kind, double dt, double (*value)(const stirred *, const double *, int),
                 double seen[2])
{
    stirred s;
    stirred_make(&s, dims, 32, true);
    for (int a = 0; a < dims; a++)
        stirred_set(&s, &s.flow[a], eddies);
    stirred_set(&s, &s.from, value);
    stirred_mark(&s, 1000);
    double start = stirred_energy(&s);
    seen[0] = 0;
    for (double time = 0; time < 10; time += dt) {
        stirred_carry(&s, kind, dt);
        seen[0] = fmax(seen[0], stirred_energy(&s) / start);
    }
    seen[1] = stirred_energy(&s) / start;
    stirred_destroy(&s);
}

/* What is carried smoothly keeps its energy up to errors of second order, of either sign, for samples are not all read
   equally often (c_j in carry_balanced.c). */
static void test_no_energy_is_gained(void **state)
{
    (void)state;
    const double steps[] = {0.1, 0.7, 1.0, 2.5};
    for (int dims = 2; dims <= 3; dims++)
        for (int n = dims == 3 ? 2 : 0; n < 4; n++) {
            double smooth[2], rough[2], plain[2];
            stir(dims, CARRY_BALANCED, steps[n], wave, smooth);
            stir(dims, CARRY_BALANCED, steps[n], noise, rough);
            stir(dims, CARRY_LINEAR, steps[n], wave, plain);
            print_message("%dD, Courant number %.1f: at most %.5f of the energy of a wave, %.5f of noise; at the end "
                          "%.4f of the wave, %.4f with linear interpolation alone\n",
                          dims, steps[n], smooth[0], rough[0], smooth[1], plain[1]);
            assert_below(smooth[0], 1.005);
            assert_below(rough[0], 1);
            assert_below(fabs(1 - smooth[1]), 0.2 * (1 - plain[1]));
        }
}

/* A stagnation point in the middle: points are read unevenly there. */
static double strain(const stirred *s, const double x[3], int axis)
{
    double middle = 0.5 * s->d.n[0];
    return axis == 0 ? 0.1 * (x[0] - middle) : axis == 1 ? -0.1 * (x[1] - middle) : 0;
}
static double slope(const stirred *s, const double x[3], int axis)
{
    (void)s, (void)axis;
    return 3 + 0.5 * x[0] - 0.25 * x[1] + 0.125 * x[2];
}

/* Inside the known ball and at its edge: whatever is beyond. */
static void test_linear_fields_are_carried_exactly(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        stirred s[2];
        double worst = 0;
        for (int n = 0; n < 2; n++) {
            stirred_make(&s[n], dims, 16, false);
            for (int a = 0; a < dims; a++)
                stirred_set(&s[n], &s[n].flow[a], strain);
            stirred_set(&s[n], &s[n].from, slope);
            stirred_mark(&s[n], 5.3);
            stirred_carry(&s[n], n ? CARRY_BALANCED : CARRY_LINEAR, 0.8);
        }
        for (size_t i = 0; i < s[0].from.count; i++)
            if (s[0].map[i] == EXTEND_KNOWN)
                worst = fmax(worst, fabs((double)(s[0].from.block[i] - s[1].from.block[i])));
        print_message("%dD: a linear field differs by %.1e\n", dims, worst);
        assert_below(worst, 1e-5);
        stirred_destroy(&s[0]);
        stirred_destroy(&s[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_energy_is_gained),
                                       cmocka_unit_test(test_linear_fields_are_carried_exactly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
