/* Boundary particles: their positions, their evenness, and that fluid next to them has the density of the inside. */
#include "unit/geom/shape_samples.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "particles/shell.h"

static const char bunny[] = SOURCE_DIR "/../shared/data/bunny.obj";

/* Cubic spline of support 2 d, with a mass of one in the plane or in space. */
typedef struct spline {
    int dims;
    double d;
} spline;

static double spline_value(const void *context, double r)
{
    const spline *s = context;
    double q = r / s->d, scale = s->dims == 3 ? 1 / (FR_PI * s->d * s->d * s->d) : 10 / (7 * FR_PI * s->d * s->d);
    if (q < 1)
        return scale * (1 - 1.5 * q * q + 0.75 * q * q * q);
    return q < 2 ? scale * 0.25 * (2 - q) * (2 - q) * (2 - q) : 0;
}

static shell_kernel spline_kernel(const spline *s)
{
    return (shell_kernel){spline_value, s, 2 * s->d};
}

static shell_plan plan_of(int dims, double d, int layers)
{
    return (shell_plan){dims, layers, d, {-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
}

static shell sampled(const fr_shape_def *def, const shell_plan *plan)
{
    shell out;
    shape *s = sample_shape(def, plan->dims);
    assert_int_equal(shell_sample(s, plan, &out), FR_OK);
    shape_destroy(s);
    return out;
}

static vec3 point_of(const shell *s, int64_t n)
{
    return (vec3){(double)s->position[n][0], (double)s->position[n][1], (double)s->position[n][2]};
}

static vec3 normal_of(const shell *s, int64_t n)
{
    return (vec3){(double)s->normal[n][0], (double)s->normal[n][1], (double)s->normal[n][2]};
}

/* The distance from a place to the nearest point of a layer. */
static double nearest(const shell *s, vec3 at, int layer)
{
    double best = INFINITY;
    for (int64_t n = 0; n < s->count; n++) {
        vec3 gap = vec3_sub(point_of(s, n), at);
        if (s->layer[n] == layer)
            best = fmin(best, vec3_dot(gap, gap));
    }
    return sqrt(best);
}

/* From a point to the next of its layer and face; the other face of something thin may be nearer. */
static double nearest_neighbour(const shell *s, int64_t own)
{
    double best = INFINITY;
    for (int64_t n = 0; n < s->count; n++) {
        vec3 gap = vec3_sub(point_of(s, n), point_of(s, own));
        double d2 = vec3_dot(gap, gap);
        if (n != own && s->layer[n] == s->layer[own] && d2 < best &&
            vec3_dot(normal_of(s, n), normal_of(s, own)) > -0.4)
            best = d2;
    }
    return sqrt(best);
}

static int64_t count_layer(const shell *s, int layer)
{
    int64_t count = 0;
    for (int64_t n = 0; n < s->count; n++)
        count += s->layer[n] == layer;
    return count;
}

static void check_spacing(const shell *s, int layers, double low, double high)
{
    double least = INFINITY, most = 0;
    for (int64_t n = 0; n < s->count; n++) {
        if (s->layer[n] >= layers)
            continue;
        double gap = nearest_neighbour(s, n) / s->spacing;
        least = fmin(least, gap);
        most = fmax(most, gap);
    }
    print_message("%lld points, nearest neighbours %.3f to %.3f spacings away\n", (long long)s->count, least, most);
    assert_true(least >= low && most <= high);
}

static void check_depths(const shell *s, const shape *solid, double tolerance)
{
    double worst = 0;
    for (int64_t n = 0; n < s->count; n++) {
        vec3 p = point_of(s, n);
        worst = fmax(worst, fabs(sample_at(solid, p.x, p.y, p.z) + (s->layer[n] + 0.5) * s->spacing) / s->spacing);
    }
    print_message("depths off by at most %.4f spacings\n", worst);
    assert_true(worst <= tolerance);
}

/* A box of 8 x 6 x 5 cells, anywhere: two layers of the lattice, edges and corners once. */
static void test_box_is_the_lattice(void **state)
{
    (void)state;
    const int cells[3] = {8, 6, 5};
    for (int dims = 2; dims <= 3; dims++)
        for (int shift = 0; shift < 2; shift++) {
            double d = shift ? 0.1 : 1.0 / 16, corner = shift ? 0.037 : -0.25;
            fr_shape_def box = fr_default_shape(FR_SHAPE_BOX);
            for (int a = 0; a < 3; a++) {
                box.min[a] = corner;
                box.max[a] = corner + cells[a] * d;
            }
            shell_plan plan = plan_of(dims, d, 2);
            shell s = sampled(&box, &plan);
            int64_t expected = dims == 3 ? 8 * 6 * 5 - 4 * 2 * 1 : 8 * 6 - 4 * 2;
            assert_int_equal(s.count, expected);
            bool seen[8][6][5] = {{{false}}};
            for (int64_t n = 0; n < s.count; n++) {
                int i[3] = {0}, depth = 9;
                for (int a = 0; a < dims; a++) {
                    double place = ((double)s.position[n][a] - corner) / d - 0.5;
                    i[a] = (int)floor(place + 0.5);
                    assert_near(place, i[a], 1e-5);
                    depth = i[a] < depth ? i[a] : depth;
                    depth = cells[a] - 1 - i[a] < depth ? cells[a] - 1 - i[a] : depth;
                }
                assert_int_equal(s.layer[n], depth);
                assert_false(seen[i[0]][i[1]][i[2]]);
                seen[i[0]][i[1]][i[2]] = true;
                assert_near(vec3_length(normal_of(&s, n)), 1, 1e-6);
            }
            shell_destroy(&s);
        }
}

static void test_sphere(void **state)
{
    (void)state;
    double d = 0.1;
    fr_shape_def ball = sample_sphere(10 * d);
    shape *solid = sample_shape(&ball, 3);
    shell_plan plan = plan_of(3, d, 2);
    shell s = sampled(&ball, &plan);
    check_depths(&s, solid, 0.05);
    check_spacing(&s, 2, 0.75, 1.3);
    for (int layer = 0; layer < 2; layer++) {
        double r = 10 - 0.5 - layer, area = 4 * FR_PI * r * r;
        print_message("layer %d: %.3f of the points that squares make\n", layer, (double)count_layer(&s, layer) / area);
        assert_near((double)count_layer(&s, layer) / area, 1, 0.1);
    }
    /* no gap: every place of the surface has a point within a spacing's 0.9 */
    uint64_t seed = 5;
    double widest = 0;
    for (int i = 0; i < 4000; i++) {
        vec3 out = vec3_unit(sample_point(&seed, 1));
        widest = fmax(widest, nearest(&s, vec3_scale(out, 9.5 * d), 0) / d);
    }
    print_message("widest gap: radius %.3f spacings\n", widest);
    assert_true(widest < 0.9);
    for (int64_t n = 0; n < s.count; n++)
        assert_true(vec3_dot(normal_of(&s, n), vec3_unit(point_of(&s, n))) > 0.9999);
    shape_destroy(solid);
    shell_destroy(&s);
}

static void test_circle(void **state)
{
    (void)state;
    double d = 0.05;
    fr_shape_def disc = sample_sphere(10 * d);
    shape *solid = sample_shape(&disc, 2);
    shell_plan plan = plan_of(2, d, 2);
    shell s = sampled(&disc, &plan);
    check_depths(&s, solid, 0.05);
    check_spacing(&s, 2, 0.75, 1.3);
    for (int layer = 0; layer < 2; layer++)
        assert_near((double)count_layer(&s, layer) / (2 * FR_PI * (9.5 - layer)), 1, 0.1);
    for (int64_t n = 0; n < s.count; n++)
        assert_true(s.position[n][2] == 0 && s.normal[n][2] == 0);
    shape_destroy(solid);
    shell_destroy(&s);
}

/* Fluid on the lattice of a closed box, as dense as the middle of a large one: beside walls, in edges and in
   corners. */
static double fluid_density(const shell *s, const spline *k, const int cells[3], const int at[3])
{
    double sum = 0, d = k->d, mass = s->dims == 3 ? d * d * d : d * d;
    double here[3] = {(at[0] + 0.5) * d, (at[1] + 0.5) * d, s->dims == 3 ? (at[2] + 0.5) * d : 0};
    for (int c = 0; c < cells[0] * cells[1] * cells[2]; c++) {
        int i = c % cells[0], j = c / cells[0] % cells[1], l = c / (cells[0] * cells[1]);
        vec3 gap = {(at[0] - i) * d, (at[1] - j) * d, (at[2] - l) * d};
        sum += mass * spline_value(k, vec3_length(gap));
    }
    for (int64_t n = 0; n < s->count; n++)
        sum += (double)s->volume[n] * spline_value(k, vec3_length(vec3_sub(vec3_of(here), point_of(s, n))));
    return sum;
}

static double lattice_density(const spline *k, int dims)
{
    double sum = 0, mass = dims == 3 ? k->d * k->d * k->d : k->d * k->d;
    for (int n = 0; n < 125; n++)
        if (dims == 3 || n / 25 == 2)
            sum += mass * spline_value(k, k->d * sqrt(pow(n % 5 - 2, 2) + pow(n / 5 % 5 - 2, 2) + pow(n / 25 - 2, 2)));
    return sum;
}

static void test_fluid_beside_walls(void **state)
{
    (void)state;
    const bool closed[6] = {true, true, true, true, true, true};
    for (int dims = 2; dims <= 3; dims++) {
        int cells[3] = {6, 5, dims == 3 ? 5 : 1};
        spline k = {dims, 1.0 / 16};
        shell_kernel kernel = spline_kernel(&k);
        shell_plan plan = {dims, 2, k.d, {0}, {6 * k.d, 5 * k.d, 5 * k.d}};
        shell s;
        assert_int_equal(shell_walls(&plan, closed, &s), FR_OK);
        assert_int_equal(s.count, dims == 3 ? 10 * 9 * 9 - 6 * 5 * 5 : 10 * 9 - 6 * 5);
        assert_int_equal(shell_weigh(&(shell_body){&s, NULL}, 1, &kernel), FR_OK);
        double whole = lattice_density(&k, dims), worst = 0;
        for (int c = 0; c < cells[0] * cells[1] * cells[2]; c++) {
            int at[3] = {c % cells[0], c / cells[0] % cells[1], c / (cells[0] * cells[1])};
            worst = fmax(worst, fabs(fluid_density(&s, &k, cells, at) / whole - 1));
        }
        print_message("%dD: fluid of relative density %.6f in a box, at walls off by %.1e\n", dims, whole, worst);
        assert_true(worst < 1e-6);
        assert_near(whole, 1, dims == 3 ? 1e-3 : 1e-2);
        shell_destroy(&s);
    }
}

/* By the sums over neighbours alone, as for any shape, points of a wide flat wall stand for d^dims each, whatever its
 * layers. */
static void test_flat_wall_volumes(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int layers = 1; layers <= 3; layers++) {
            spline k = {dims, 1.0 / 16};
            shell_kernel kernel = spline_kernel(&k);
            shell_plan plan = {dims, layers, k.d, {0}, {12 * k.d, k.d, 12 * k.d}};
            const bool floor_only[6] = {[2] = true};
            shell s;
            assert_int_equal(shell_walls(&plan, floor_only, &s), FR_OK);
            assert_int_equal(s.count, layers * 12 * (dims == 3 ? 12 : 1));
            memset(s.cell, 0, sizeof *s.cell * (size_t)s.count);
            assert_int_equal(shell_weigh(&(shell_body){&s, NULL}, 1, &kernel), FR_OK);
            double cube = pow(k.d, dims);
            for (int64_t n = 0; n < s.count; n++) {
                bool inner = s.position[n][0] > 3 * k.d && s.position[n][0] < 9 * k.d;
                inner &= dims == 2 || (s.position[n][2] > 3 * k.d && s.position[n][2] < 9 * k.d);
                assert_true(!inner || fabs((double)s.volume[n] / cube - 1) < 1e-6);
                assert_near((double)s.position[n][1], -(s.layer[n] + 0.5) * k.d, 1e-9);
                assert_true(s.normal[n][0] == 0 && s.normal[n][1] == 1 && s.normal[n][2] == 0);
            }
            shell_destroy(&s);
        }
}

/* A side that is no multiple of the spacing stretches the lattice along itself; open and periodic sides have no
   points. */
static void test_walls_that_do_not_fit(void **state)
{
    (void)state;
    double d = 0.1;
    shell_plan plan = {3, 2, d, {-0.3, 0.2, 0}, {0.74, 1.2, 0.56}};
    const bool closed[6] = {true, false, true, true, false, false};
    shell s;
    assert_int_equal(shell_walls(&plan, closed, &s), FR_OK);
    assert_int_equal(s.count, ((10 + 2) * (10 + 4) - 10 * 10) * 6);
    double most[3] = {-INFINITY, -INFINITY, -INFINITY}, volume = 0;
    for (int64_t n = 0; n < s.count; n++) {
        for (int a = 0; a < 3; a++)
            most[a] = fmax(most[a], (double)s.position[n][a]);
        volume += (double)s.cell[n];
        assert_near(vec3_length(normal_of(&s, n)), 1, 1e-6);
    }
    assert_near(most[0], 0.74 - 0.052, 1e-6);
    assert_near(most[1], 1.2 + 1.5 * d, 1e-6);
    assert_near(most[2], 0.56 - 0.56 / 12, 1e-6);
    assert_near(volume, ((1.04 + 0.2) * 1.4 - 1.04) * 0.56, 1e-5);
    shell_destroy(&s);
}

/* A box on the lattice: its points stand for a cube each at faces, edges and corners, as the fluid's do around it. */
static void test_box_volumes(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        spline k = {dims, 1.0 / 16};
        shell_kernel kernel = spline_kernel(&k);
        shell_plan plan = plan_of(dims, k.d, 2);
        fr_shape_def box = sample_box(3 * k.d, 3 * k.d, 3 * k.d);
        shell s = sampled(&box, &plan);
        assert_int_equal(shell_weigh(&(shell_body){&s, NULL}, 1, &kernel), FR_OK);
        for (int64_t n = 0; n < s.count; n++)
            assert_near((double)s.volume[n] / pow(k.d, dims), 1, 1e-6);
        shell_destroy(&s);
    }
}

/* Points of a ball, which no lattice fits, stand together for the two layers they are in. */
static void test_ball_volumes(void **state)
{
    (void)state;
    double d = 0.1, worst = 0;
    spline k = {3, d};
    shell_kernel kernel = spline_kernel(&k);
    shell_plan plan = plan_of(3, d, 2);
    fr_shape_def ball = sample_sphere(10 * d);
    shell s = sampled(&ball, &plan);
    assert_int_equal(shell_weigh(&(shell_body){&s, NULL}, 1, &kernel), FR_OK);
    double total = 0;
    for (int64_t n = 0; n < s.count; n++) {
        total += (double)s.volume[n];
        worst = fmax(worst, fabs((double)s.volume[n] / (d * d * d) - 1));
    }
    double exact = 4 * FR_PI / 3 * (1000 - 512) * d * d * d;
    print_message("ball: volumes within %.2f of a cube's, all together %.4f of two layers\n", worst, total / exact);
    assert_near(total / exact, 1, 0.05);
    shell_destroy(&s);
}

/* Two bodies in one place share the volume; a pose moves points as it moves the body. */
static void test_bodies_share(void **state)
{
    (void)state;
    spline k = {3, 1.0 / 16};
    shell_kernel kernel = spline_kernel(&k);
    shell_plan plan = plan_of(3, k.d, 1);
    fr_shape_def box = sample_box(2 * k.d, 2 * k.d, 2 * k.d);
    shell a = sampled(&box, &plan), b = sampled(&box, &plan);
    pose turned = pose_of((double[3]){0, 0, 1}, 90, (double[3]){0}),
         away = pose_of((double[3]){0, 0, 1}, 0, (double[3]){1, 0, 0});
    assert_int_equal(shell_weigh((shell_body[]){{&a, NULL}, {&b, &turned}}, 2, &kernel), FR_OK);
    for (int64_t n = 0; n < a.count; n++)
        assert_near((double)(a.volume[n] + b.volume[n]) / pow(k.d, 3), 1, 1e-6);
    assert_int_equal(shell_weigh((shell_body[]){{&a, NULL}, {&b, &away}}, 2, &kernel), FR_OK);
    for (int64_t n = 0; n < a.count; n++)
        assert_near((double)a.volume[n] / pow(k.d, 3), 1, 1e-6);
    shell_destroy(&a);
    shell_destroy(&b);
}

/* Plates from a tenth of a spacing to several: never nothing, one layer in the middle below d, no gaps. */
static void test_plates(void **state)
{
    (void)state;
    double d = 0.1;
    const double thick[] = {0.02, 0.1, 0.5, 0.9, 1, 1.1, 1.4, 1.7, 2, 2.6, 3.3};
    for (size_t t = 0; t < sizeof thick / sizeof *thick; t++) {
        fr_shape_def plate = sample_box(0.53, 0.5 * thick[t] * d, 0.47);
        shell_plan plan = plan_of(3, d, 2);
        shell s = sampled(&plate, &plan);
        double widest = 0, off = 0;
        for (int64_t n = 0; n < s.count; n++)
            off = fmax(off, fabs((double)s.position[n][1]));
        for (double x = -0.45; x <= 0.45; x += 0.02)
            for (double z = -0.4; z <= 0.4; z += 0.02) {
                double depth = fmin(0.5, 0.5 * thick[t]), y = (0.5 * thick[t] - depth) * d;
                double up = nearest(&s, (vec3){x, y, z}, 0), down = nearest(&s, (vec3){x, -y, z}, 0);
                widest = fmax(widest, fmax(up, down) / d);
            }
        print_message("plate of %.2f spacings: %lld points, gaps of radius %.2f, up to %.3f from the middle\n",
                      thick[t], (long long)s.count, widest, off / d);
        assert_true(widest < 0.95);
        assert_true(off <= fmax(0.5 * thick[t] - 0.5, 0) * d + 0.01 * d);
        assert_true(thick[t] > 1 || (s.count > 90 && s.count < 130));
        shell_destroy(&s);
    }
}

static void test_tiny_ball(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (double r = 0.001; r < 0.6; r *= 2) {
            fr_shape_def ball = sample_sphere(r);
            shell_plan plan = plan_of(dims, 1, 3);
            shell s = sampled(&ball, &plan);
            assert_true(s.count >= 1 && s.count <= 2);
            shell_destroy(&s);
        }
}

/* Endless ground: points only where they are wanted. */
static void test_plane(void **state)
{
    (void)state;
    fr_shape_def ground = fr_default_shape(FR_SHAPE_PLANE);
    ground.normal[1] = 1;
    shell_plan plan = {3, 2, 0.1, {-1, -1, -0.5}, {1, 1, 0.5}};
    shell s = sampled(&ground, &plan);
    assert_int_equal(s.count, 2 * 20 * 10);
    for (int64_t n = 0; n < s.count; n++)
        assert_near((double)s.position[n][1], -0.1 * (s.layer[n] + 0.5), 1e-6);
    shell_destroy(&s);
}

/* A box turned against the lattice, with edges that no lattice point is near to. */
static void test_turned_box(void **state)
{
    (void)state;
    double d = 0.1;
    fr_shape_def box = sample_box(0.63, 0.41, 0.52);
    const fr_shape_def *one[] = {&box};
    fr_shape_def turned = sample_group(FR_SHAPE_ROTATE, one, 1);
    turned.normal[0] = 1, turned.normal[1] = 2, turned.normal[2] = 0.5, turned.amount = 31;
    shape *solid = sample_shape(&turned, 3);
    shell_plan plan = plan_of(3, d, 2);
    shell s = sampled(&turned, &plan);
    check_depths(&s, solid, 0.05);
    check_spacing(&s, 2, 0.6, 1.3);
    shape_destroy(solid);
    shell_destroy(&s);
}

/* No distance: twice too steep at the surface, and steeper outside. */
static fr_result paraboloid(void *context, const double *args, double *out)
{
    (void)context;
    *out = args[0] * args[0] + args[1] * args[1] + args[2] * args[2] - 1;
    return FR_OK;
}

static fr_result failing(void *context, const double *args, double *out)
{
    int *calls = context;
    *out = args[0];
    return --*calls > 0 ? FR_OK : fr_fail(FR_ERROR_INPUT, "no such value");
}

static void test_user_function(void **state)
{
    (void)state;
    fr_shape_def def = fr_default_shape(FR_SHAPE_SDF), ball = sample_sphere(1);
    def.function = paraboloid;
    shape *solid = sample_shape(&ball, 3);
    shell_plan plan = {3, 2, 0.1, {-2, -2, -2}, {2, 2, 2}};
    shell s = sampled(&def, &plan);
    check_depths(&s, solid, 0.2);
    check_spacing(&s, 2, 0.75, 1.3);
    assert_near((double)count_layer(&s, 0) / (4 * FR_PI * 9.5 * 9.5), 1, 0.1);
    shell_destroy(&s);
    shape_destroy(solid);
    for (int calls = 1; calls < 300000; calls *= 7) {
        int left = calls;
        def.function = failing, def.context = &left;
        shape *f = sample_shape(&def, 3);
        fr_result result = shell_sample(f, &plan, &s);
        assert_true(left > 0 ? result == FR_OK : result == FR_ERROR_INPUT && s.count == 0 && !s.position);
        shell_destroy(&s);
        shape_destroy(f);
    }
}

static bool same_points(const shell *a, const shell *b)
{
    size_t n = (size_t)a->count;
    return a->count == b->count && memcmp(a->position, b->position, n * sizeof *a->position) == 0 &&
           memcmp(a->normal, b->normal, n * sizeof *a->normal) == 0 &&
           memcmp(a->volume, b->volume, n * sizeof *a->volume) == 0 && memcmp(a->layer, b->layer, n) == 0;
}

static void test_same_bits(void **state)
{
    (void)state;
    fr_shape_def ring = fr_default_shape(FR_SHAPE_TORUS);
    ring.radius = 0.5, ring.tube = 0.2;
    shell_plan plan = plan_of(3, 0.05, 2);
    spline k = {3, 0.05};
    shell_kernel kernel = spline_kernel(&k);
    shell s[2];
    for (int t = 0; t < 2; t++) {
        fr_set_threads(2 * t + 1);
        s[t] = sampled(&ring, &plan);
        assert_int_equal(shell_weigh(&(shell_body){&s[t], NULL}, 1, &kernel), FR_OK);
    }
    fr_set_threads(0);
    assert_true(s[0].count > 1000);
    assert_true(same_points(&s[0], &s[1]));
    shell_destroy(&s[0]);
    shell_destroy(&s[1]);
}

/* How far places at depths (in spacings) from low to high may be from the nearest point of layer 0. */
static double widest_gap(const shell *s, const shape *solid, double low, double high)
{
    uint64_t seed = 8;
    double widest = 0;
    for (int i = 0; i < 20000; i++) {
        vec3 p = sample_point(&seed, 0.5);
        double depth = -sample_at(solid, p.x, p.y, p.z) / s->spacing;
        if (depth < low || depth > high)
            continue;
        widest = fmax(widest, nearest(s, p, 0) / s->spacing);
    }
    return widest;
}

static void test_bunny(void **state)
{
    (void)state;
    fr_mesh_report report;
    if (access(bunny, R_OK) != 0 || fr_mesh_inspect("", &report) == FR_ERROR_UNSUPPORTED) {
        print_message("skipped: no %s\n", bunny);
        skip();
    }
    fr_shape_def def = fr_default_shape(FR_SHAPE_MESH);
    def.file = bunny, def.size[0] = 1;
    shape *solid = sample_shape(&def, 3);
    shell_plan plan = plan_of(3, 0.03, 2);
    shell s;
    double began = clock_now();
    assert_int_equal(shell_sample(solid, &plan, &s), FR_OK);
    double done = clock_now(), gap = widest_gap(&s, solid, 0.45, 0.55);
    int64_t off = 0;
    for (int64_t n = 0; n < s.count; n++) {
        vec3 p = point_of(&s, n);
        double depth = -sample_at(solid, p.x, p.y, p.z) / s.spacing;
        assert_true(depth > 0);
        off += fabs(depth - 0.5 - s.layer[n]) > 0.05;
    }
    print_message("bunny: %lld points in %.2f s, %lld in thin parts, gaps of radius %.2f\n", (long long)s.count,
                  done - began, (long long)off, gap);
    assert_true(off < s.count / 50);
    assert_true(gap < 1);
    check_spacing(&s, 1, 0.5, 1.3);
    shell_destroy(&s);
    shape_destroy(solid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_is_the_lattice),
        cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_circle),
        cmocka_unit_test(test_fluid_beside_walls),
        cmocka_unit_test(test_flat_wall_volumes),
        cmocka_unit_test(test_walls_that_do_not_fit),
        cmocka_unit_test(test_box_volumes),
        cmocka_unit_test(test_ball_volumes),
        cmocka_unit_test(test_bodies_share),
        cmocka_unit_test(test_plates),
        cmocka_unit_test(test_tiny_ball),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_turned_box),
        cmocka_unit_test(test_user_function),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_bunny),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
