/* Surfaces of liquids: closed, in the right place, the same for any number of threads. */
#include "liquids.h"
#include "support/meshes.h"

#include <freshet/surface.h>

#include <string.h>

static const double ball_radius = 0.31;

static bool in_ball(double x, double y, double z)
{
    return hypot(hypot(x - 0.5, y - 0.5), z - 0.5) < ball_radius;
}

static bool in_pool(double x, double y, double z)
{
    (void)x, (void)z;
    return y < 0.4;
}

static bool nowhere(double x, double y, double z)
{
    (void)x, (void)y, (void)z;
    return false;
}

/* The surface of a liquid ball around the domain's middle may be off by `most` spacings, its normals by `degrees`. */
static void check_ball(liquid *l, double most, double degrees)
{
    fr_mesh mesh;
    assert_ok(fr_surface_mesh(&l->frame, NULL, &mesh));
    assert_closed(&mesh);
    extent found = extent_of(&mesh);
    double d = l->frame.particle_spacing, pi = acos(-1), volume = (double)l->frame.particle_count * d * d * d;
    double radius = cbrt(volume * 3 / (4 * pi)), area = 4 * pi * radius * radius, worst = 0, facing = 1, drift = 0;
    for (int64_t v = 0; v < mesh.vertex_count; v++) {
        const float *p = mesh.vertices[v], *m = mesh.normals[v], *u = mesh.velocity[v];
        double r[3] = {p[0] - 0.5, p[1] - 0.5, p[2] - 0.5}, away = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        worst = fmax(worst, fabs(away - radius));
        facing = fmin(facing, (r[0] * m[0] + r[1] * m[1] + r[2] * m[2]) / away);
        drift = fmax(drift, hypot(u[0] - p[2], u[2] + p[0]));
    }
    print_message("ball of %lld: %lld triangles, volume %+.2f %%, area %+.2f %%, radius within %.3f d, normals within "
                  "%.1f degrees\n",
                  (long long)l->frame.particle_count, (long long)mesh.triangle_count, 100 * (found.volume / volume - 1),
                  100 * (found.area / area - 1), worst / d, acos(facing) * 180 / pi);
    assert_near(found.volume / volume, 1, 0.05);
    assert_near(found.area / area, 1, 0.10);
    assert_below(worst, most * d);
    assert_below(acos(facing) * 180 / pi, degrees);
    assert_below(drift,
                 d); /* the velocity is that of the particles within reach: less than a spacing below the surface */
    fr_mesh_destroy(&mesh);
    liquid_free(l);
}

/* Shells of particles a spacing apart, on each of them a spiral: a drop as surface tension would make it. */
static void make_drop(liquid *l, int shells, double d)
{
    int room = 5 * shells * shells * shells;
    *l = (liquid){.frame = {.dims = 3, .spacing = {d, d, d}, .has_particles = true, .particle_spacing = d},
                  .places = calloc((size_t)room, sizeof *l->places),
                  .velocities = calloc((size_t)room, sizeof *l->velocities)};
    int64_t *count = &l->frame.particle_count;
    for (int a = 0; a < 3; a++)
        l->frame.cells[a] = (int)round(1 / d);
    for (int s = 0; s < shells; s++) {
        double pi = acos(-1), radius = (s + 0.5) * d;
        int points = (int)round(4 * pi / 3 * (pow(s + 1, 3) - pow(s, 3)));
        for (int n = 0; n < points; n++, ++*count) {
            double y = 1 - (2 * n + 1.0) / points, turn = n * pi * (3 - sqrt(5)), around = sqrt(1 - y * y);
            const double p[3] = {0.5 + radius * around * cos(turn), 0.5 + radius * y,
                                 0.5 + radius * around * sin(turn)};
            for (int a = 0; a < 3; a++)
                l->places[*count][a] = (float)p[a];
            l->velocities[*count][0] = (float)p[2];
            l->velocities[*count][2] = (float)-p[0];
        }
    }
    l->frame.particles = (fr_vectors){l->places[0], 4};
    l->frame.particle_velocity = (fr_vectors){l->velocities[0], 4};
}

static void test_drop(void **state)
{
    (void)state;
    liquid l;
    make_drop(&l, 8, 1.0 / 20);
    check_ball(&l, 0.3, 15);
    make_drop(&l, 15, 1.0 / 40);
    check_ball(&l, 0.3, 15);
}

/* Cut out of a lattice it has steps of its own, of half a spacing. */
static void test_ball(void **state)
{
    (void)state;
    liquid l;
    liquid_make(&l, (int[3]){32, 32, 32}, 32, in_ball, 0);
    check_ball(&l, 0.5, 35);
    liquid_make(&l, (int[3]){64, 64, 64}, 64, in_ball, 0.2);
    check_ball(&l, 0.5, 35);
}

static void test_pool_is_flat(void **state)
{
    (void)state;
    liquid l;
    fr_mesh mesh;
    liquid_make(&l, (int[3]){40, 40, 40}, 40, in_pool, 0);
    assert_ok(fr_surface_mesh(&l.frame, NULL, &mesh));
    assert_closed(&mesh);
    double d = 1.0 / 40, low = 1, high = 0, outside = 0;
    for (int64_t v = 0; v < mesh.vertex_count; v++) {
        const float *p = mesh.vertices[v];
        for (int a = 0; a < 3; a++)
            outside = fmax(outside, fmax(-p[a], p[a] - 1));
        if (p[1] < 0.2 || fabs(p[0] - 0.5) > 0.4 || fabs(p[2] - 0.5) > 0.4)
            continue;
        low = fmin(low, p[1]);
        high = fmax(high, p[1]);
    }
    print_message("pool: from %+.3f d to %+.3f d, volume %+.2f %%\n", (low - 0.4) / d, (high - 0.4) / d,
                  100 * (extent_of(&mesh).volume / 0.4 - 1));
    assert_near(low, 0.4, 0.1 * d);
    assert_near(high, 0.4, 0.1 * d);
    assert_true(outside == 0);
    fr_mesh_destroy(&mesh);
    liquid_free(&l);
}

static void test_nothing(void **state)
{
    (void)state;
    liquid l;
    fr_mesh mesh;
    liquid_make(&l, (int[3]){8, 8, 8}, 8, nowhere, 0);
    assert_ok(fr_surface_mesh(&l.frame, NULL, &mesh));
    assert_int_equal(mesh.vertex_count, 0);
    assert_int_equal(mesh.triangle_count, 0);
    float distance[4], speed[4];
    const fr_lattice lattice = {.step = {{0.1, 0, 0}, {0, 0.1, 0}}, .n = {2, 2}};
    assert_ok(fr_surface_sample(&l.frame, &lattice, distance, speed));
    for (int i = 0; i < 4; i++)
        assert_true(distance[i] > 0 && speed[i] == 0);
    fr_mesh_destroy(&mesh);
    liquid_free(&l);
}

/* A drop of one particle is a ball of about its share of the liquid; numbers that are none are passed over. */
static void test_one_particle(void **state)
{
    (void)state;
    float places[2][4] = {{0.52f, 0.47f, 0.5f, 0}, {NAN, 0, 0, 0}}, velocities[2][4] = {{1, 2, 3, 0}};
    const fr_frame frame = {.dims = 3,
                            .cells = {10, 10, 10},
                            .spacing = {0.1, 0.1, 0.1},
                            .has_particles = true,
                            .particle_count = 2,
                            .particles = {places[0], 4},
                            .particle_velocity = {velocities[0], 4},
                            .particle_spacing = 0.1};
    fr_mesh mesh;
    assert_ok(fr_surface_mesh(&frame, NULL, &mesh));
    assert_closed(&mesh);
    double volume = extent_of(&mesh).volume / 1e-3;
    print_message("one particle: %lld triangles, volume %.3f d³\n", (long long)mesh.triangle_count, volume);
    assert_true(volume > 0.2 && volume < 1);
    for (int64_t v = 0; v < mesh.vertex_count; v++)
        assert_near(mesh.velocity[v][2], 3, 1e-5);
    fr_mesh_destroy(&mesh);
}

/* Two bodies of water four spacings apart: particles of both are within reach of a point in the middle, and their mean
   place is right there; still there is no film in the air between them. */
static bool in_halves(double x, double y, double z)
{
    (void)y, (void)z;
    return fabs(x - 0.5) > 0.06;
}

static void test_no_film(void **state)
{
    (void)state;
    liquid l;
    fr_mesh mesh;
    liquid_make(&l, (int[3]){25, 25, 25}, 25, in_halves, 0);
    assert_ok(fr_surface_mesh(&l.frame, NULL, &mesh));
    assert_closed(&mesh);
    for (int64_t v = 0; v < mesh.vertex_count; v++)
        assert_true(fabs(mesh.vertices[v][0] - 0.5) > 0.05);
    fr_mesh_destroy(&mesh);
    liquid_free(&l);
}

/* Particles thrown about at random leave holes of all sizes, also where the liquid looks full from afar. */
static void test_foam(void **state)
{
    (void)state;
    for (int n = 0; n < 3; n++) {
        liquid l;
        fr_mesh mesh;
        liquid_make(&l, (int[3]){40, 40, 40}, 40, in_pool, 0.6 + 0.4 * n);
        assert_ok(fr_surface_mesh(&l.frame, NULL, &mesh));
        assert_closed(&mesh);
        fr_mesh_destroy(&mesh);
        liquid_free(&l);
    }
}

static void test_same_bits(void **state)
{
    (void)state;
    liquid l;
    liquid_make(&l, (int[3]){40, 40, 40}, 40, in_ball, 0.3);
    uint64_t first = 0;
    for (int threads = 1; threads <= 3; threads++) {
        fr_mesh mesh;
        fr_set_threads(threads);
        assert_ok(fr_surface_mesh(&l.frame, NULL, &mesh));
        uint64_t hash = hash_of_mesh(&mesh);
        first = threads == 1 ? hash : first;
        assert_true(hash == first);
        fr_mesh_destroy(&mesh);
    }
    fr_set_threads(1);
    liquid_free(&l);
}

static void test_refusals(void **state)
{
    (void)state;
    liquid l;
    fr_mesh mesh;
    liquid_make(&l, (int[3]){8, 8, 1}, 8, in_pool, 0);
    assert_int_equal(fr_surface_mesh(&l.frame, NULL, &mesh), FR_ERROR_INPUT);
    l.frame.dims = 3;
    l.frame.particle_spacing = 0;
    assert_int_equal(fr_surface_mesh(&l.frame, NULL, &mesh), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "no liquid of particles"));
    liquid_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drop),    cmocka_unit_test(test_ball),         cmocka_unit_test(test_pool_is_flat),
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_one_particle), cmocka_unit_test(test_no_film),
        cmocka_unit_test(test_foam),    cmocka_unit_test(test_same_bits),    cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
