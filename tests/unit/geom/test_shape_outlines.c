/* Polygons, extrusions, solids of revolution and gears, compared with dense samples of their outlines. */
#include "shape_samples.h"

/* A star with reflex corners. */
static const double star[8][2] = {{0.9, 0},  {0.3, 0.25},   {0, 0.9},  {-0.3, 0.2},
                                  {-0.9, 0}, {-0.25, -0.3}, {0, -0.9}, {0.3, -0.2}};
/* A goblet's half; the sides on the axis are not surface. */
static const double goblet[6][2] = {{0, -0.7}, {0.5, -0.7}, {0.1, 0}, {0.6, 0.7}, {0.3, 0.7}, {0, 0.2}};

static bool in_outline(const double (*p)[2], int count, double x, double y)
{
    bool inside = false;
    for (int i = 0, k = count - 1; i < count; k = i++)
        if ((p[i][1] > y) != (p[k][1] > y) &&
            x < (p[k][0] - p[i][0]) * (y - p[i][1]) / (p[k][1] - p[i][1]) + p[i][0])
            inside = !inside;
    return inside;
}

static void outline_samples(sample_cloud *cloud, const double (*p)[2], int count, int per_edge)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < per_edge; k++) {
            double t = (double)k / per_edge;
            const double *a = p[i], *b = p[(i + 1) % count];
            sample_add(cloud, (vec3){a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), 0});
        }
}

static void test_polygon(void **state)
{
    (void)state;
    fr_shape_def def = fr_default_shape(FR_SHAPE_POLYGON);
    def.points = star, def.point_count = 8;
    sample_cloud cloud = {0};
    outline_samples(&cloud, star, 8, 2000);
    uint64_t seed = 3;
    for (int dims = 2; dims <= 3; dims++) {
        shape *s = sample_shape(&def, dims);
        for (int i = 0; i < 300; i++) {
            vec3 p = sample_point(&seed, 1.3);
            double brute = sample_nearest(&cloud, (vec3){p.x, p.y, 0});
            assert_true(fabs(sample_at(s, p.x, p.y, p.z) - (in_outline(star, 8, p.x, p.y) ? -brute : brute)) < 1e-3);
        }
        shape_destroy(s);
    }
    free(cloud.points);
}

/* Long outlines are culled edge by edge: the same as all edges at once. */
static void test_polygon_of_many_points(void **state)
{
    (void)state;
    enum { N = 500, ROW = 200 };
    static double points[N][2];
    float row[ROW];
    for (int i = 0; i < N; i++) {
        double angle = 2 * FR_PI * i / N, r = 0.7 + 0.15 * sin(11 * angle);
        points[i][0] = r * cos(angle);
        points[i][1] = r * sin(angle);
    }
    fr_shape_def def = fr_default_shape(FR_SHAPE_POLYGON);
    def.points = (const double(*)[2])points, def.point_count = N;
    sample_cloud cloud = {0};
    outline_samples(&cloud, (const double(*)[2])points, N, 40);
    shape *s = sample_shape(&def, 2);
    for (int k = 0; k < 9; k++) {
        double y = -1 + 0.25 * k;
        assert_int_equal(shape_distance_row(s, (double[3]){-1.2, y, 0}, 2.4 / ROW, ROW, row), FR_OK);
        for (int i = 0; i < ROW; i++) {
            double x = -1.2 + i * 2.4 / ROW, brute = sample_nearest(&cloud, (vec3){x, y, 0});
            bool inside = in_outline((const double(*)[2])points, N, x, y);
            assert_true(fabs(row[i] - (inside ? -brute : brute)) < 1e-3);
        }
    }
    shape_destroy(s);
    free(cloud.points);
}

/* Extrusion: distance across and along combine at right angles. */
static void test_extrude(void **state)
{
    (void)state;
    fr_shape_def flat = fr_default_shape(FR_SHAPE_POLYGON), def = fr_default_shape(FR_SHAPE_EXTRUDE);
    flat.points = def.points = star, flat.point_count = def.point_count = 8;
    def.height = 0.6;
    shape *outline = sample_shape(&flat, 3), *s = sample_shape(&def, 3);
    uint64_t seed = 4;
    for (int i = 0; i < 500; i++) {
        vec3 p = sample_point(&seed, 1.2);
        double a = sample_at(outline, p.x, p.y, 0), b = fabs(p.z) - 0.3;
        double expected = a > 0 && b > 0 ? sqrt(a * a + b * b) : fmax(a, b);
        assert_near(sample_at(s, p.x, p.y, p.z), expected, 1e-12);
    }
    shape_destroy(outline);
    shape_destroy(s);
    assert_near(sample_once(&def, 2, (vec3){0, 0, 5}), sample_once(&flat, 3, (vec3){0, 0, 0}), 1e-12);
}

static void test_revolve(void **state)
{
    (void)state;
    fr_shape_def def = fr_default_shape(FR_SHAPE_REVOLVE);
    def.points = goblet, def.point_count = 6;
    enum { PER_EDGE = 200, AROUND = 240, SURFACE = 5 * PER_EDGE }; /* the sixth side lies on the axis */
    sample_cloud cloud = {0}, turned = {0};
    outline_samples(&cloud, goblet, 6, PER_EDGE);
    for (int i = 0; i < SURFACE; i++)
        for (int k = 0; k < AROUND; k++) {
            double angle = 2 * FR_PI * k / AROUND, r = cloud.points[i].x;
            sample_add(&turned, (vec3){r * cos(angle), cloud.points[i].y, r * sin(angle)});
        }
    shape *s = sample_shape(&def, 3);
    uint64_t seed = 8;
    for (int i = 0; i < 150; i++) {
        vec3 p = sample_point(&seed, 1.1);
        double d = sample_at(s, p.x, p.y, p.z), brute = sample_nearest(&turned, p);
        assert_int_equal(d < 0, in_outline(goblet, 6, sqrt(p.x * p.x + p.z * p.z), p.y));
        assert_true(fabs(d) <= brute + 1e-6 && brute <= sqrt(d * d + 0.02 * 0.02) + 1e-6);
    }
    assert_true(sample_at(s, 0, 0, 0) < -0.02); /* on the axis, inside: the axis is no surface */
    shape_destroy(s);
    free(cloud.points);
    free(turned.points);
}

static fr_shape_def gear_def(void)
{
    fr_shape_def def = fr_default_shape(FR_SHAPE_GEAR);
    def.radius = 1, def.teeth = 12, def.depth = 0.2, def.thickness = 0.5, def.hole = 0.25;
    return def;
}

/* Where the gear's surface crosses rays from the axis, and the middle of the flanks. */
static void test_gear_profile(void **state)
{
    (void)state;
    fr_shape_def def = gear_def();
    def.axis = 2;
    shape *s = sample_shape(&def, 2);
    double pitch = 2 * FR_PI / 12;
    for (int k = 0; k < 12; k++) {
        double tooth = k * pitch, gap = tooth + 0.5 * pitch, flank = tooth + 0.25 * pitch;
        assert_near(sample_at(s, cos(tooth), sin(tooth), 0), 0, 1e-9);
        assert_near(sample_at(s, 1.5 * cos(tooth), 1.5 * sin(tooth), 0), 0.5, 1e-9);
        assert_near(sample_at(s, 0.8 * cos(gap), 0.8 * sin(gap), 0), 0, 1e-9);
        assert_true(fabs(sample_at(s, 0.9 * cos(flank), 0.9 * sin(flank), 0)) < 0.01);
        assert_true(sample_at(s, 0.9 * cos(tooth), 0.9 * sin(tooth), 0) < -0.05);
        assert_true(sample_at(s, 0.9 * cos(gap), 0.9 * sin(gap), 0) > 0.05);
        assert_near(sample_at(s, 0.3 * cos(flank), 0.3 * sin(flank), 0), -0.05, 1e-9);
    }
    assert_near(sample_at(s, 0, 0, 0), 0.25, 1e-9);
    shape_destroy(s);
}

/* Against the points where the sign changes on a fine polar grid. */
static void test_gear_distance(void **state)
{
    (void)state;
    fr_shape_def def = gear_def();
    def.axis = 2;
    shape *s = sample_shape(&def, 2);
    sample_cloud border = {0};
    enum { N = 700 };
    static float rows[N][N];
    double h = 2.4 / N;
    for (int y = 0; y < N; y++)
        assert_int_equal(shape_distance_row(s, (double[3]){-1.2, -1.2 + y * h, 0}, h, N, rows[y]), FR_OK);
    for (int y = 0; y + 1 < N; y++)
        for (int x = 0; x + 1 < N; x++)
            if ((rows[y][x] < 0) != (rows[y][x + 1] < 0) || (rows[y][x] < 0) != (rows[y + 1][x] < 0))
                sample_add(&border, (vec3){-1.2 + (x + 0.5) * h, -1.2 + (y + 0.5) * h, 0});
    uint64_t seed = 12;
    for (int i = 0; i < 500; i++) {
        vec3 p = sample_point(&seed, 1.2);
        double d = fabs(sample_at(s, p.x, p.y, 0));
        assert_true(fabs(d - sample_nearest(&border, (vec3){p.x, p.y, 0})) < 1.5 * h);
    }
    shape_destroy(s);
    free(border.points);
}

static void test_gear_solid(void **state)
{
    (void)state;
    fr_shape_def def = gear_def();
    shape *s = sample_shape(&def, 3);
    uint64_t seed = 2;
    for (int i = 0; i < 2000; i++) {
        vec3 p = sample_point(&seed, 1.2);
        if (fabs(sample_at(s, p.x, p.y, p.z)) < 0.05)
            assert_true(sample_slope(s, p, 1e-6) < 1 + 1e-4);
        assert_true(sample_at(s, p.x, p.y, p.z) >= 0 || (fabs(p.y) <= 0.25 && p.x * p.x + p.z * p.z <= 1));
    }
    assert_near(sample_at(s, 0.5, 0.75, 0), 0.5, 1e-9);
    shape_destroy(s);
    for (def.teeth = 3; def.teeth < 200; def.teeth += 7) { /* any number of teeth is sound */
        s = sample_shape(&def, 3);
        for (int i = 0; i < 50; i++) {
            vec3 p = sample_point(&seed, 1.2);
            assert_true(sample_slope(s, p, 1e-7) < 1 + 1e-4);
        }
        shape_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polygon),      cmocka_unit_test(test_polygon_of_many_points),
        cmocka_unit_test(test_extrude),      cmocka_unit_test(test_revolve),
        cmocka_unit_test(test_gear_profile), cmocka_unit_test(test_gear_distance),
        cmocka_unit_test(test_gear_solid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
