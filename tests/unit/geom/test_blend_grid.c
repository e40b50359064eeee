/* Distances to baked smooth unions of many parts against the exact ones. */
#include "shape_samples.h"

#include <string.h>

#include "geom/blend_grid.h"

enum { PARTS = 9, ACROSS = 60 };

/* A snowman with arms and a nose, 1 m tall, whose parts are turned; the whole at twice its size. */
typedef struct snowman {
    fr_shape_def part[PARTS], turned[PARTS], blend, whole;
    const fr_shape_def *part_at[PARTS], *turned_at[PARTS], *blend_at;
} snowman;

static const double blended = 0.05;

static void snowman_make(snowman *m, int parts)
{
    static const double at[PARTS][6] = {
        {0, -0.3, 0, 0.2, 0.2, 0.2},       {0, 0.05, 0, 0.15, 0.14, 0.15},    {0, 0.32, 0, 0.12, 0.13, 0.12},
        {0.2, 0.1, 0, 0.16, 0.04, 0.05},   {-0.2, 0.1, 0, 0.16, 0.04, 0.05},  {0, 0.33, 0.13, 0.03, 0.03, 0.09},
        {0.1, -0.45, 0.1, 0.09, 0.05, 0.1}, {-0.1, -0.45, 0.1, 0.09, 0.05, 0.1}, {0, 0.45, 0, 0.08, 0.05, 0.08},
    };
    for (int k = 0; k < PARTS; k++) {
        fr_shape_def *part = &m->part[k], *turned = &m->turned[k];
        *part = fr_default_shape(FR_SHAPE_ELLIPSOID);
        memcpy(part->size, &at[k][3], sizeof part->size);
        m->part_at[k] = part;
        *turned = sample_group(FR_SHAPE_TRANSLATE, &m->part_at[k], 1);
        memcpy(turned->min, at[k], sizeof turned->min);
        m->turned_at[k] = turned;
    }
    m->blend = sample_group(FR_SHAPE_SMOOTH_UNION, m->turned_at, parts);
    m->blend.amount = blended;
    m->blend_at = &m->blend;
    m->whole = sample_group(FR_SHAPE_SCALE, &m->blend_at, 1);
    m->whole.amount = 2;
}

static shape *snowman_baked(const snowman *m, double cell)
{
    shape *s = sample_shape(&m->whole, 3);
    assert_int_equal(shape_bake(s, cell), FR_OK);
    return s;
}

static void turn(shape *s)
{
    pose p = pose_of((double[3]){1, -2, 0.7}, 37, (double[3]){0.013, -0.021, 0.008});
    shape_place(s, &p);
}

typedef struct misfit {
    double greatest, mean, volume; /* near the surface; relative */
    double above;                  /* of the slope */
} misfit;

static misfit compare(const shape *exact, const shape *baked, double near)
{
    const double h = 2.6 / ACROSS;
    float right[ACROSS], found[ACROSS];
    double whole = 0, more = 0;
    misfit m = {0};
    int count = 0;
    for (int row = 0; row < ACROSS * ACROSS; row++) {
        const double start[3] = {-1.3, -1.3 + h * (row % ACROSS + 0.37), -1.3 + h * (row / ACROSS + 0.61)};
        assert_int_equal(shape_distance_row(exact, start, h, ACROSS, right), FR_OK);
        assert_int_equal(shape_distance_row(baked, start, h, ACROSS, found), FR_OK);
        for (int i = 0; i < ACROSS; i++) {
            const double off = (double)found[i] - (double)right[i], share = 0.5 - (double)right[i] / h;
            whole += fmin(fmax(share, 0), 1);
            more += fmin(fmax(0.5 - (double)found[i] / h, 0), 1) - fmin(fmax(share, 0), 1);
            if (i > 0)
                m.above = fmax(m.above, fabs((double)found[i] - (double)found[i - 1]) / h);
            if (fabs((double)right[i]) < near) {
                m.greatest = fmax(m.greatest, fabs(off));
                m.mean += off;
                count++;
            }
        }
    }
    m.mean /= count;
    m.volume = more / whole;
    return m;
}

static void test_against_the_exact(void **state)
{
    (void)state;
    snowman m;
    snowman_make(&m, PARTS);
    for (double cells = 16; cells <= 64; cells *= 2) {
        const double cell = 2 / cells;
        shape *exact = sample_shape(&m.whole, 3), *baked = snowman_baked(&m, cell);
        turn(exact);
        turn(baked);
        const misfit found = compare(exact, baked, 0.5 * cell);
        print_message("%g cells: at most %.4f cells off, in the mean %+.5f, volume %+.4f %%, slope at most %.2f\n",
                      cells, found.greatest / cell, found.mean / cell, 100 * found.volume, found.above);
        /* the nose ends in a tip of a third of a cell */
        assert_true(found.greatest < 0.1 * cell && fabs(found.mean) < 2e-3 * cell && fabs(found.volume) < 1e-3);
        assert_true(found.above < 1.75); /* what moves over walls is found by (solids_sweep.c) */
        shape_destroy(exact);
        shape_destroy(baked);
    }
}

/* The box of the exact one leaves room for parts that all lie in one place. */
static void test_box_is_tight(void **state)
{
    (void)state;
    snowman m;
    snowman_make(&m, PARTS);
    const double cell = 2.0 / 32;
    shape *exact = sample_shape(&m.whole, 3), *baked = snowman_baked(&m, cell);
    double wide[2][3], close[2][3], at[3], d;
    shape_bounds(exact, wide[0], wide[1]);
    shape_bounds(baked, close[0], close[1]);
    for (int a = 0; a < 3; a++) {
        assert_true(close[0][a] > wide[0][a] + 0.5 * blended && close[1][a] < wide[1][a] - 0.5 * blended);
        assert_true(close[1][a] - close[0][a] < 2.1);
    }
    uint64_t seed = 3;
    for (int n = 0; n < 20000; n++) { /* nothing inside is outside of it, and what is outside knows how far it is */
        const vec3 p = sample_point(&seed, 1.3);
        double gap = 0;
        memcpy(at, (double[3]){p.x, p.y, p.z}, sizeof at);
        for (int a = 0; a < 3; a++)
            gap = fmax(gap, fmax(close[0][a] - at[a], at[a] - close[1][a]));
        assert_int_equal(shape_distance(exact, at, &d), FR_OK);
        assert_true(gap <= 0 || d > -0.02 * cell);
        assert_int_equal(shape_distance(baked, at, &d), FR_OK);
        assert_true(d >= gap * (1 - 1e-6) || gap <= 0);
    }
    shape_destroy(exact);
    shape_destroy(baked);
}

/* A few parts, those in 2D, and with a function: to the bit. */
static void test_what_stays_exact(void **state)
{
    (void)state;
    snowman few, many;
    snowman_make(&few, 5);
    snowman_make(&many, PARTS);
    for (int n = 0; n < 2; n++) {
        const snowman *m = n == 0 ? &few : &many;
        shape *exact = sample_shape(&m->whole, n == 0 ? 3 : 2), *baked = sample_shape(&m->whole, n == 0 ? 3 : 2);
        double bytes;
        assert_int_equal(shape_bake(baked, 0.05), FR_OK);
        assert_int_equal(shape_bake_bytes(&baked, 1, 0.05, &bytes), FR_OK);
        assert_true(bytes == 0);
        for (double x = -1; x < 1; x += 0.01)
            assert_true(sample_at(exact, x, 0.1, 0.05) == sample_at(baked, x, 0.1, 0.05));
        shape_destroy(exact);
        shape_destroy(baked);
    }
}

static void test_grids_are_shared(void **state)
{
    (void)state;
    snowman m, other, smaller;
    snowman_make(&m, PARTS);
    snowman_make(&other, PARTS);
    snowman_make(&smaller, PARTS);
    smaller.part[2].size[1] *= 0.99;
    shape *shapes[3] = {sample_shape(&m.whole, 3), sample_shape(&other.whole, 3), sample_shape(&smaller.whole, 3)};
    double one, two, three;
    assert_true(shape_digest(shapes[0]) == shape_digest(shapes[1]));
    assert_true(shape_digest(shapes[0]) != shape_digest(shapes[2]));
    assert_int_equal(shape_bake_bytes(shapes, 1, 0.1, &one), FR_OK);
    assert_int_equal(shape_bake_bytes(shapes, 2, 0.1, &two), FR_OK);
    assert_int_equal(shape_bake_bytes(shapes, 3, 0.1, &three), FR_OK);
    assert_true(one > 0 && two == one && three > one);
    for (int i = 0; i < 3; i++)
        assert_int_equal(shape_bake(shapes[i], 0.1), FR_OK);
    turn(shapes[1]); /* a grid belongs to the shape, not to a pose */
    assert_true(sample_at(shapes[0], 0.1, 0.2, 0.3) != sample_at(shapes[1], 0.1, 0.2, 0.3));
    shape_destroy(shapes[0]); /* the second has it still */
    pose home = pose_of((double[3]){0}, 0, (double[3]){0});
    shape_place(shapes[1], &home);
    shape *again = snowman_baked(&m, 0.1);
    assert_true(sample_at(again, 0.1, 0.2, 0.3) == sample_at(shapes[1], 0.1, 0.2, 0.3));
    assert_true(sample_at(again, 0.1, 0.63, 0.1) != sample_at(shapes[2], 0.1, 0.63, 0.1));
    shape_destroy(shapes[1]);
    shape_destroy(shapes[2]);
    shape_destroy(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_the_exact),
        cmocka_unit_test(test_box_is_tight),
        cmocka_unit_test(test_what_stays_exact),
        cmocka_unit_test(test_grids_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
