/* The distance of every primitive, compared with the nearest of many surface points computed without the library. */
#include "shape_samples.h"

enum { CURVE = 480, AROUND = 300, TESTS = 150 };

/* A closed curve in a plane, dense; for solids of revolution (r, y) without the part on the axis. */
typedef struct curve {
    double p[4 * CURVE][2];
    int count;
} curve;

static void curve_line(curve *c, double x0, double y0, double x1, double y1)
{
    for (int i = 0; i < CURVE / 4; i++) {
        double t = (double)i / (CURVE / 4 - 1);
        c->p[c->count][0] = x0 + t * (x1 - x0);
        c->p[c->count++][1] = y0 + t * (y1 - y0);
    }
}

static void curve_arc(curve *c, double cx, double cy, const double radii[2], double from, double to)
{
    for (int i = 0; i < CURVE / 4; i++) {
        double angle = from + (to - from) * i / (CURVE / 4 - 1);
        c->p[c->count][0] = cx + radii[0] * cos(angle);
        c->p[c->count++][1] = cy + radii[1] * sin(angle);
    }
}

static sample_cloud revolve(const curve *c, int axis)
{
    sample_cloud cloud = {0};
    for (int i = 0; i < c->count; i++)
        for (int k = 0; k < AROUND; k++) {
            double angle = 2 * FR_PI * k / AROUND, p[3];
            p[axis] = c->p[i][1];
            p[(axis + 1) % 3] = c->p[i][0] * cos(angle);
            p[(axis + 2) % 3] = c->p[i][0] * sin(angle);
            sample_add(&cloud, vec3_of(p));
        }
    return cloud;
}

/* The greatest gap between samples is below `spacing`; `inside` is decided by the caller. */
static void check_against(const shape *s, const sample_cloud *cloud, double spacing,
                          bool (*inside)(const fr_shape_def *, vec3), const fr_shape_def *def)
{
    uint64_t seed = 7;
    for (int i = 0; i < TESTS; i++) {
        vec3 p = sample_point(&seed, 1.3);
        double d = sample_at(s, p.x, p.y, p.z), brute = sample_nearest(cloud, p);
        if (fabs(d) < 1e-3)
            continue;
        assert_int_equal(d < 0, inside(def, p));
        assert_true(fabs(d) <= brute + 1e-4);
        assert_true(brute <= sqrt(d * d + spacing * spacing) + 1e-4);
    }
}

/* Near the surface the distance grows by a metre per metre, and nowhere faster. */
static void check_slope(const shape *s)
{
    uint64_t seed = 99;
    int near = 0, unit = 0;
    for (int i = 0; i < 4000; i++) {
        vec3 p = sample_point(&seed, 1.2);
        if (fabs(sample_at(s, p.x, p.y, p.z)) > 0.08)
            continue;
        double slope = sample_slope(s, p, 1e-5);
        assert_true(slope < 1 + 1e-4);
        near++;
        unit += slope > 1 - 1e-3;
    }
    assert_true(near > 20);
    assert_true(unit >= 0.98 * near);
}

static void check_bounds(const shape *s)
{
    double min[3], max[3];
    uint64_t seed = 5;
    shape_bounds(s, min, max);
    for (int i = 0; i < 4000; i++) {
        vec3 v = sample_point(&seed, 1.5);
        double p[3] = {v.x, v.y, v.z};
        if (sample_at(s, v.x, v.y, v.z) >= 0)
            continue;
        for (int a = 0; a < 3; a++)
            assert_true(p[a] >= min[a] - 1e-12 && p[a] <= max[a] + 1e-12);
    }
}

static void check_shape(const fr_shape_def *def, sample_cloud cloud, double spacing,
                        bool (*inside)(const fr_shape_def *, vec3))
{
    shape *s = sample_shape(def, 3);
    check_against(s, &cloud, spacing, inside, def);
    check_slope(s);
    check_bounds(s);
    shape_destroy(s);
    free(cloud.points);
}

static double across(const fr_shape_def *def, vec3 v, double *along)
{
    double p[3] = {v.x, v.y, v.z}, u = p[(def->axis + 1) % 3], w = p[(def->axis + 2) % 3];
    *along = p[def->axis];
    return sqrt(u * u + w * w);
}

static bool in_sphere(const fr_shape_def *def, vec3 p) { return vec3_length(p) < def->radius; }

static void test_sphere(void **state)
{
    (void)state;
    curve c = {0};
    fr_shape_def def = sample_sphere(0.7);
    curve_arc(&c, 0, 0, (double[2]){0.7, 0.7}, -FR_PI / 2, FR_PI / 2);
    curve_arc(&c, 0, 0, (double[2]){0.7, 0.7}, -FR_PI / 2, FR_PI / 2);
    check_shape(&def, revolve(&c, 1), 0.025, in_sphere);
}

static bool in_ellipsoid(const fr_shape_def *def, vec3 p)
{
    double x = p.x / def->size[0], y = p.y / def->size[1], z = p.z / def->size[2];
    return x * x + y * y + z * z < 1;
}

static void test_ellipsoid(void **state)
{
    (void)state;
    const double radii[3][3] = {{0.9, 0.5, 0.3}, {0.2, 0.9, 0.9}, {0.6, 0.6, 0.6}};
    for (int k = 0; k < 3; k++) {
        curve c = {0};
        fr_shape_def def = fr_default_shape(FR_SHAPE_ELLIPSOID);
        for (int a = 0; a < 3; a++)
            def.size[a] = radii[k][a];
        for (int part = 0; part < 2; part++)
            curve_arc(&c, 0, 0, (double[2]){1, 1}, (part - 1) * FR_PI / 2, part * FR_PI / 2);
        sample_cloud cloud = revolve(&c, 1);
        for (int i = 0; i < cloud.count; i++) {
            vec3 *p = &cloud.points[i];
            *p = (vec3){p->x * def.size[0], p->y * def.size[1], p->z * def.size[2]};
        }
        check_shape(&def, cloud, 0.03, in_ellipsoid);
    }
}

/* Points on the planes of symmetry, where the root sits at a pole. */
static void test_ellipsoid_special_points(void **state)
{
    (void)state;
    fr_shape_def def = fr_default_shape(FR_SHAPE_ELLIPSOID);
    def.size[0] = 3, def.size[1] = 2, def.size[2] = 1;
    assert_near(sample_once(&def, 3, (vec3){0, 0, 0}), -1, 1e-9);
    assert_near(sample_once(&def, 3, (vec3){0, 0, 1}), 0, 1e-9);
    assert_near(sample_once(&def, 3, (vec3){3, 0, 0}), 0, 1e-9);
    assert_near(sample_once(&def, 3, (vec3){5, 0, 0}), 2, 1e-9);
    assert_near(sample_once(&def, 3, (vec3){0, -7, 0}), 5, 1e-9);
    /* In the plane z = 0, inside: the nearest points lie above and below. */
    double x = 0.5, z = sqrt(1 - (9 * x / 8) * (9 * x / 8) / 9), fx = 9 * x / 8 - x;
    assert_near(sample_once(&def, 3, (vec3){x, 0, 0}), -sqrt(z * z + fx * fx), 1e-9);
    assert_near(sample_once(&def, 3, (vec3){1e6, 0, 0}), 1e6 - 3, 1e-6);
}

static bool in_torus(const fr_shape_def *def, vec3 p)
{
    double y, r = across(def, p, &y) - def->radius;
    return r * r + y * y < def->tube * def->tube;
}

static void test_torus(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        curve c = {0};
        fr_shape_def def = fr_default_shape(FR_SHAPE_TORUS);
        def.radius = 0.6, def.tube = 0.25, def.axis = axis;
        for (int part = 0; part < 4; part++)
            curve_arc(&c, 0.6, 0, (double[2]){0.25, 0.25}, part * FR_PI / 2, (part + 1) * FR_PI / 2);
        check_shape(&def, revolve(&c, axis), 0.025, in_torus);
    }
}

static bool in_cylinder(const fr_shape_def *def, vec3 p)
{
    double y, r = across(def, p, &y);
    return r < def->radius && fabs(y) < 0.5 * def->height;
}

static void test_cylinder(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        curve c = {0};
        fr_shape_def def = fr_default_shape(FR_SHAPE_CYLINDER);
        def.radius = 0.5, def.height = 1.4, def.axis = axis;
        curve_line(&c, 0, -0.7, 0.5, -0.7);
        curve_line(&c, 0.5, -0.7, 0.5, 0.7);
        curve_line(&c, 0.5, 0.7, 0, 0.7);
        check_shape(&def, revolve(&c, axis), 0.025, in_cylinder);
    }
}

static bool in_capsule(const fr_shape_def *def, vec3 p)
{
    double y, r = across(def, p, &y), past = fabs(y) > 0.5 * def->height ? fabs(y) - 0.5 * def->height : 0;
    return r * r + past * past < def->radius * def->radius;
}

static void test_capsule(void **state)
{
    (void)state;
    curve c = {0};
    fr_shape_def def = fr_default_shape(FR_SHAPE_CAPSULE);
    def.radius = 0.4, def.height = 0.8, def.axis = 0;
    curve_arc(&c, 0, -0.4, (double[2]){0.4, 0.4}, -FR_PI / 2, 0);
    curve_line(&c, 0.4, -0.4, 0.4, 0.4);
    curve_arc(&c, 0, 0.4, (double[2]){0.4, 0.4}, 0, FR_PI / 2);
    check_shape(&def, revolve(&c, 0), 0.025, in_capsule);
}

static bool in_cone(const fr_shape_def *def, vec3 p)
{
    double y, r = across(def, p, &y), up = y / def->height + 0.5;
    return up > 0 && r < def->radius * (1 - up);
}

static void test_cone(void **state)
{
    (void)state;
    curve c = {0};
    fr_shape_def def = fr_default_shape(FR_SHAPE_CONE);
    def.radius = 0.6, def.height = 1.2;
    curve_line(&c, 0, -0.6, 0.6, -0.6);
    curve_line(&c, 0.6, -0.6, 0, 0.6);
    check_shape(&def, revolve(&c, 1), 0.025, in_cone);
}

static bool in_round_box(const fr_shape_def *def, vec3 v)
{
    double p[3] = {v.x, v.y, v.z}, sum = 0;
    for (int a = 0; a < 3; a++) {
        double past = fabs(p[a]) - (def->max[a] - def->round);
        sum += past > 0 ? past * past : 0;
    }
    return sum < def->round * def->round || (def->round == 0 && sum == 0);
}

/* From points on a larger box to the core and back out by the rounding. */
static sample_cloud box_cloud(const fr_shape_def *def)
{
    sample_cloud cloud = {0};
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2)
            for (int i = 0; i < 160; i++)
                for (int k = 0; k < 160; k++) {
                    double q[3], s[2] = {2.0 * i / 159 - 1, 2.0 * k / 159 - 1};
                    vec3 core = {0}, gap;
                    q[axis] = side * def->max[axis];
                    q[(axis + 1) % 3] = s[0] * def->max[(axis + 1) % 3];
                    q[(axis + 2) % 3] = s[1] * def->max[(axis + 2) % 3];
                    core.x = clampd(q[0], def->min[0] + def->round, def->max[0] - def->round);
                    core.y = clampd(q[1], def->min[1] + def->round, def->max[1] - def->round);
                    core.z = clampd(q[2], def->min[2] + def->round, def->max[2] - def->round);
                    gap = vec3_unit(vec3_sub(vec3_of(q), core));
                    sample_add(&cloud, vec3_add(core, vec3_scale(gap, def->round)));
                }
    return cloud;
}

static void test_box(void **state)
{
    (void)state;
    fr_shape_def def = sample_box(0.8, 0.5, 0.6);
    check_shape(&def, box_cloud(&def), 0.02, in_round_box);
    def.round = 0.2;
    check_shape(&def, box_cloud(&def), 0.02, in_round_box);
    def.round = 0.5;
    check_shape(&def, box_cloud(&def), 0.03, in_round_box);
}

static void test_plane(void **state)
{
    (void)state;
    fr_shape_def def = fr_default_shape(FR_SHAPE_PLANE);
    def.normal[0] = 3, def.normal[1] = 4, def.offset = 10;
    assert_near(sample_once(&def, 3, (vec3){0, 0, 5}), -2, 1e-12);
    assert_near(sample_once(&def, 3, (vec3){6, 8, 5}), 8, 1e-12);
    double min[3], max[3];
    def.normal[0] = 0, def.normal[1] = -2, def.offset = 4;
    shape *s = sample_shape(&def, 3);
    shape_bounds(s, min, max);
    assert_near(min[1], -2, 1e-12);
    assert_true(max[1] == INFINITY && min[0] == -INFINITY);
    shape_destroy(s);
}

/* Row by row and point by point give the same. */
static void test_rows(void **state)
{
    (void)state;
    enum { N = 150 };
    float row[N];
    fr_shape_def def = fr_default_shape(FR_SHAPE_ELLIPSOID);
    def.size[0] = 0.9, def.size[1] = 0.5, def.size[2] = 0.3;
    shape *s = sample_shape(&def, 3);
    assert_int_equal(shape_distance_row(s, (double[3]){-1.5, 0.2, 0.1}, 0.02, N, row), FR_OK);
    for (int i = 0; i < N; i++)
        assert_near(row[i], sample_at(s, -1.5 + i * 0.02, 0.2, 0.1), 1e-6);
    assert_int_equal(shape_distance_row(s, (double[3]){0}, 0.02, 0, row), FR_OK);
    assert_true(shape_is_parallel(s));
    shape_destroy(s);
}

/* In 2D: z is ignored, and boxes and cylinders along z have no end. */
static void test_flat(void **state)
{
    (void)state;
    fr_shape_def box = sample_box(1, 1, 0), cylinder = fr_default_shape(FR_SHAPE_CYLINDER), sphere = sample_sphere(1);
    cylinder.radius = 1, cylinder.axis = 2;
    assert_near(sample_once(&box, 2, (vec3){0, 0, 9}), -1, 1e-12);
    assert_near(sample_once(&box, 2, (vec3){4, 5, 9}), 5, 1e-12);
    assert_near(sample_once(&cylinder, 2, (vec3){0, 0, 9}), -1, 1e-12);
    assert_near(sample_once(&sphere, 2, (vec3){3, 4, 9}), 4, 1e-12);
    fr_shape_def ellipse = fr_default_shape(FR_SHAPE_ELLIPSOID);
    ellipse.size[0] = 2, ellipse.size[1] = 1;
    assert_near(sample_once(&ellipse, 2, (vec3){0, 0, 0}), -1, 1e-9);
    assert_near(sample_once(&ellipse, 2, (vec3){5, 0, 0}), 3, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_ellipsoid),
        cmocka_unit_test(test_ellipsoid_special_points),
        cmocka_unit_test(test_torus),
        cmocka_unit_test(test_cylinder),
        cmocka_unit_test(test_capsule),
        cmocka_unit_test(test_cone),
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
