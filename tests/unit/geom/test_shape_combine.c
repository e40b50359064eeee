/* Combinations and transformations: identities, bounds, and that skipping far children changes nothing. */
#include "shape_samples.h"

#include "base/threads.h"

enum { POINTS = 400 };

static fr_shape_def moved(const fr_shape_def *const *child, double x, double y, double z)
{
    fr_shape_def def = sample_group(FR_SHAPE_TRANSLATE, child, 1);
    def.min[0] = x, def.min[1] = y, def.min[2] = z;
    return def;
}

static void test_boolean(void **state)
{
    (void)state;
    fr_shape_def ball = sample_sphere(0.6), box = sample_box(0.4, 0.7, 0.5);
    const fr_shape_def *ball_only[] = {&ball};
    fr_shape_def away = moved(ball_only, 0.4, 0.2, -0.1);
    const fr_shape_def *two[] = {&away, &box};
    fr_shape_def all[3] = {sample_group(FR_SHAPE_UNION, two, 2), sample_group(FR_SHAPE_INTERSECTION, two, 2),
                           sample_group(FR_SHAPE_DIFFERENCE, two, 2)};
    shape *a = sample_shape(&away, 3), *b = sample_shape(&box, 3), *s[3];
    for (int k = 0; k < 3; k++)
        s[k] = sample_shape(&all[k], 3);
    uint64_t seed = 1;
    for (int i = 0; i < POINTS; i++) {
        vec3 p = sample_point(&seed, 1.4);
        double da = sample_at(a, p.x, p.y, p.z), db = sample_at(b, p.x, p.y, p.z);
        assert_true(sample_at(s[0], p.x, p.y, p.z) == fmin(da, db));
        assert_true(sample_at(s[1], p.x, p.y, p.z) == fmax(da, db));
        assert_true(sample_at(s[2], p.x, p.y, p.z) == fmax(da, -db));
    }
    for (int k = 0; k < 3; k++)
        shape_destroy(s[k]);
    shape_destroy(a);
    shape_destroy(b);
}

/* A hundred balls: rows, where most are skipped, equal the least of all. */
static void test_culling(void **state)
{
    (void)state;
    enum { BALLS = 100, N = 130 };
    fr_shape_def balls[BALLS], places[BALLS];
    const fr_shape_def *inner[BALLS], *outer[BALLS];
    vec3 at[BALLS];
    uint64_t seed = 77;
    for (int i = 0; i < BALLS; i++) {
        balls[i] = sample_sphere(0.02 + 0.1 * sample_random(&seed));
        inner[i] = &balls[i];
        at[i] = sample_point(&seed, 1);
        places[i] = moved(&inner[i], at[i].x, at[i].y, at[i].z);
        outer[i] = &places[i];
    }
    fr_shape_def block = sample_box(1, 1, 1), joined = sample_group(FR_SHAPE_UNION, outer, BALLS);
    const fr_shape_def *pair[] = {&block, &joined};
    fr_shape_def cheese = sample_group(FR_SHAPE_DIFFERENCE, pair, 2);
    shape *u = sample_shape(&joined, 3), *d = sample_shape(&cheese, 3), *b = sample_shape(&block, 3);
    float row[N], cut[N];
    for (int k = 0; k < 20; k++) {
        double y = sample_point(&seed, 1.2).x, z = sample_point(&seed, 1.2).y;
        assert_int_equal(shape_distance_row(u, (double[3]){-1.3, y, z}, 0.02, N, row), FR_OK);
        assert_int_equal(shape_distance_row(d, (double[3]){-1.3, y, z}, 0.02, N, cut), FR_OK);
        for (int i = 0; i < N; i++) {
            vec3 p = {-1.3 + i * 0.02, y, z};
            double least = INFINITY;
            for (int c = 0; c < BALLS; c++)
                least = fmin(least, vec3_length(vec3_sub(p, at[c])) - balls[c].radius);
            assert_true(fabs(row[i] - least) < 1e-6);
            assert_true(fabs(cut[i] - fmax(sample_at(b, p.x, p.y, p.z), -least)) < 1e-6);
        }
    }
    shape_destroy(u);
    shape_destroy(d);
    shape_destroy(b);
}

static void test_smooth_union(void **state)
{
    (void)state;
    fr_shape_def ball = sample_sphere(0.5);
    const fr_shape_def *one[] = {&ball};
    fr_shape_def left = moved(one, -0.45, 0, 0), right = moved(one, 0.45, 0, 0);
    const fr_shape_def *two[] = {&left, &right};
    fr_shape_def sharp = sample_group(FR_SHAPE_UNION, two, 2), smooth = sample_group(FR_SHAPE_SMOOTH_UNION, two, 2);
    smooth.amount = 0.3;
    shape *a = sample_shape(&sharp, 3), *b = sample_shape(&smooth, 3);
    uint64_t seed = 6;
    for (int i = 0; i < POINTS; i++) {
        vec3 p = sample_point(&seed, 1.3);
        double hard = sample_at(a, p.x, p.y, p.z), soft = sample_at(b, p.x, p.y, p.z);
        assert_true(soft <= hard && soft >= hard - 0.25 * 0.3 - 1e-12);
        double gap = vec3_length(vec3_sub(p, (vec3){0.45, 0, 0})) - vec3_length(vec3_add(p, (vec3){0.45, 0, 0}));
        assert_true(fabs(gap) < 0.3 || soft == hard);
    }
    assert_true(fabs(sample_at(b, 0, 0.6, 0) - (sample_at(a, 0, 0.6, 0) - 0.075)) < 1e-12);
    shape_destroy(a);
    shape_destroy(b);
}

static void test_transforms(void **state)
{
    (void)state;
    fr_shape_def box = sample_box(0.8, 0.4, 0.2);
    const fr_shape_def *one[] = {&box};
    fr_shape_def turn = sample_group(FR_SHAPE_ROTATE, one, 1), scale = sample_group(FR_SHAPE_SCALE, one, 1);
    fr_shape_def offset = sample_group(FR_SHAPE_OFFSET, one, 1), shell = sample_group(FR_SHAPE_SHELL, one, 1);
    turn.normal[2] = 2, turn.amount = 90;
    scale.amount = 2.5, offset.amount = 0.1, shell.amount = 0.06;
    shape *plain = sample_shape(&box, 3), *t = sample_shape(&turn, 3), *s = sample_shape(&scale, 3),
          *o = sample_shape(&offset, 3), *h = sample_shape(&shell, 3);
    uint64_t seed = 21;
    for (int i = 0; i < POINTS; i++) {
        vec3 p = sample_point(&seed, 1.5);
        double d = sample_at(plain, p.x, p.y, p.z);
        /* A quarter turn about z takes x to y: exactly. */
        assert_true(sample_at(t, -p.y, p.x, p.z) == d);
        assert_true(fabs(sample_at(s, 2.5 * p.x, 2.5 * p.y, 2.5 * p.z) - 2.5 * d) < 1e-12);
        assert_true(sample_at(o, p.x, p.y, p.z) == d - 0.1);
        assert_true(sample_at(h, p.x, p.y, p.z) == fabs(d) - 0.03);
    }
    shape_destroy(plain);
    shape_destroy(t);
    shape_destroy(s);
    shape_destroy(o);
    shape_destroy(h);
}

/* Turned first, then moved; about any axis by Rodrigues' formula. */
static void test_placement(void **state)
{
    (void)state;
    fr_shape_def box = sample_box(0.8, 0.4, 0.2);
    fr_placed_shape placed = {.shape = &box, .at = {1, -2, 0.5}, .axis = {1, 2, -0.5}, .degrees = 37};
    shape *s = NULL, *plain = sample_shape(&box, 3);
    assert_int_equal(shape_create(&placed, 3, "shape", &s), FR_OK);
    vec3 u = vec3_unit(vec3_of(placed.axis)), at = vec3_of(placed.at);
    double angle = placed.degrees * FR_PI / 180, min[3], max[3];
    shape_bounds(s, min, max);
    uint64_t seed = 31;
    for (int i = 0; i < POINTS; i++) {
        vec3 p = sample_point(&seed, 1.0);
        vec3 q = vec3_add(vec3_scale(p, cos(angle)), vec3_scale(vec3_cross(u, p), sin(angle)));
        q = vec3_add(vec3_add(q, vec3_scale(u, vec3_dot(u, p) * (1 - cos(angle)))), at);
        double d = sample_at(plain, p.x, p.y, p.z);
        assert_true(fabs(sample_at(s, q.x, q.y, q.z) - d) < 1e-12);
        assert_true(d > 0 || (q.x >= min[0] && q.x <= max[0] && q.y >= min[1] && q.y <= max[1] && q.z >= min[2] &&
                              q.z <= max[2]));
    }
    assert_true(max[0] - min[0] < 2 && max[1] - min[1] < 2);
    shape_destroy(plain);
    shape_destroy(s);
}

/* Nests of every kind that changes bounds: no point inside lies outside them. */
static void test_bounds_of_nests(void **state)
{
    (void)state;
    fr_shape_def ball = sample_sphere(0.5), box = sample_box(0.7, 0.3, 0.4), plane = fr_default_shape(FR_SHAPE_PLANE);
    plane.normal[1] = 1, plane.offset = 0.1;
    const fr_shape_def *one[] = {&ball};
    fr_shape_def far = moved(one, 0.7, 0, 0);
    const fr_shape_def *apart[] = {&far, &box}, *half[] = {&ball, &plane};
    fr_shape_def lens = sample_group(FR_SHAPE_INTERSECTION, apart, 2),
                 dome = sample_group(FR_SHAPE_INTERSECTION, half, 2);
    const fr_shape_def *in_lens[] = {&lens}, *in_dome[] = {&dome};
    fr_shape_def fat = sample_group(FR_SHAPE_OFFSET, in_lens, 1), turned = sample_group(FR_SHAPE_ROTATE, in_dome, 1);
    fat.amount = 0.4;
    turned.normal[0] = 1, turned.normal[2] = 1, turned.amount = 50;
    const fr_shape_def *in_turned[] = {&turned};
    fr_shape_def hollow = sample_group(FR_SHAPE_SHELL, in_turned, 1);
    hollow.amount = 0.1;
    const fr_shape_def *both[] = {&fat, &hollow};
    fr_shape_def blend = sample_group(FR_SHAPE_SMOOTH_UNION, both, 2);
    blend.amount = 0.2;
    const fr_shape_def *nests[] = {&lens, &dome, &fat, &turned, &hollow, &blend};
    for (size_t k = 0; k < sizeof nests / sizeof *nests; k++) {
        shape *s = sample_shape(nests[k], 3);
        double min[3], max[3];
        uint64_t seed = 41;
        int inside = 0;
        shape_bounds(s, min, max);
        for (int i = 0; i < 20000; i++) {
            vec3 p = sample_point(&seed, 1.8);
            if (sample_at(s, p.x, p.y, p.z) >= 0)
                continue;
            inside++;
            assert_true(p.x >= min[0] && p.x <= max[0] && p.y >= min[1] && p.y <= max[1] && p.z >= min[2] &&
                        p.z <= max[2]);
        }
        assert_true(inside > 50);
        shape_destroy(s);
    }
}

enum { FILL = 48 };

typedef struct fill_work {
    const shape *shape;
    float *distance;
} fill_work;

static void fill_rows(void *context, int begin, int end)
{
    fill_work *w = context;
    for (int k = begin; k < end; k++) {
        double start[3] = {-1, -1 + (k % FILL) * 2.0 / FILL, -1 + 2.0 * k / FILL / FILL};
        shape_distance_row(w->shape, start, 2.0 / FILL, FILL, w->distance + k * FILL);
    }
}

/* The same bits whoever does a row. */
static void test_threads(void **state)
{
    (void)state;
    static float one[FILL * FILL * FILL], many[FILL * FILL * FILL];
    fr_shape_def ball = sample_sphere(0.6), box = sample_box(0.9, 0.3, 0.5);
    const fr_shape_def *pair[] = {&box, &ball};
    fr_shape_def cut = sample_group(FR_SHAPE_DIFFERENCE, pair, 2);
    shape *s = sample_shape(&cut, 3);
    fr_set_threads(1);
    threads_for(FILL * FILL, fill_rows, &(fill_work){s, one});
    fr_set_threads(3);
    threads_for(FILL * FILL, fill_rows, &(fill_work){s, many});
    fr_set_threads(0);
    assert_memory_equal(one, many, sizeof one);
    shape_destroy(s);
}

static fr_result wave(void *context, const double *args, double *out)
{
    ++*(int *)context;
    *out = args[1] - 0.1 * sin(args[0]);
    return FR_OK;
}

static fr_result broken(void *context, const double *args, double *out)
{
    (void)context;
    (void)args;
    *out = NAN;
    return FR_OK;
}

static fr_result failing(void *context, const double *args, double *out)
{
    (void)context;
    (void)args;
    (void)out;
    return fr_fail(FR_ERROR_INPUT, "no such value");
}

static void test_function(void **state)
{
    (void)state;
    int calls = 0;
    fr_shape_def def = fr_default_shape(FR_SHAPE_SDF);
    def.function = wave, def.context = &calls;
    shape *s = sample_shape(&def, 3);
    float row[100];
    assert_false(shape_is_parallel(s));
    assert_int_equal(shape_distance_row(s, (double[3]){0, 1, 0}, 0.1, 100, row), FR_OK);
    assert_int_equal(calls, 100);
    assert_true(fabs(row[70] - (1 - 0.1 * sin(7))) < 1e-6);
    shape_destroy(s);
    double d;
    def.function = broken;
    s = sample_shape(&def, 3);
    assert_int_equal(shape_distance(s, (double[3]){0}, &d), FR_ERROR_INPUT);
    assert_string_equal(fr_error_key(), "shape");
    shape_destroy(s);
    def.function = failing;
    s = sample_shape(&def, 3);
    assert_int_equal(shape_distance_row(s, (double[3]){0}, 1, 3, row), FR_ERROR_INPUT);
    assert_string_equal(fr_error_message(), "no such value");
    shape_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boolean),   cmocka_unit_test(test_culling),   cmocka_unit_test(test_smooth_union),
        cmocka_unit_test(test_transforms), cmocka_unit_test(test_placement), cmocka_unit_test(test_bounds_of_nests),
        cmocka_unit_test(test_threads),   cmocka_unit_test(test_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
