/* Surfaces of level sets: closed, in the right place, with the right volume, the same for any number of threads. */
#include "support/levels.h"
#include "support/meshes.h"

#include <string.h>

static const int kinds[4] = {6, 24, 48, 192};

/* The longest edge of their tetrahedra, squared, in cells. A straight edge of this length misses a surface of radius R
   by up to its square over 8 R. */
static const double edge_square[4] = {3, 1, 0.75, 0.25};

static fr_mesh mesh_of(const levels *l, int tetrahedra)
{
    fr_surface_options options = fr_default_surface();
    fr_mesh mesh;
    options.tetrahedra = tetrahedra;
    assert_ok(fr_surface_mesh(&l->frame, &options, &mesh));
    assert_closed(&mesh);
    return mesh;
}

static double ball_radius = 0.25;

static double ball(const double at[3])
{
    return sqrt(pow(at[0] - 0.503, 2) + pow(at[1] - 0.489, 2) + pow(at[2] - 0.51, 2)) - ball_radius;
}

/* A ball of ten cells' radius: volume, place, normals and velocity. */
static void test_ball(void **state)
{
    (void)state;
    for (int refine = 1; refine <= 2; refine++) {
        levels l;
        level_make(&l, (int[3]){40 / refine, 40 / refine, 40 / refine}, refine, ball);
        for (int k = 0; k < 4; k++) {
            fr_mesh mesh = mesh_of(&l, kinds[k]);
            double pi = acos(-1), volume = 4 * pi / 3 * pow(ball_radius, 3), h = 0.025, worst = 0, facing = 1,
                   drift = 0;
            for (int64_t v = 0; v < mesh.vertex_count; v++) {
                const float *p = mesh.vertices[v], *m = mesh.normals[v], *u = mesh.velocity[v];
                double r[3] = {p[0] - 0.503, p[1] - 0.489, p[2] - 0.51}, away = ball((double[3]){p[0], p[1], p[2]});
                worst = fmax(worst, fabs(away));
                facing = fmin(facing, (r[0] * m[0] + r[1] * m[1] + r[2] * m[2]) / (away + ball_radius));
                drift = fmax(drift, fabs(u[0] - p[2]) + fabs(u[1] - 0.5) + fabs(u[2] + p[0]));
            }
            double error = extent_of(&mesh).volume / volume - 1;
            print_message("ball, refine %d, %d tetrahedra: %lld triangles, volume %+.2f %%, within %.4f h, normals "
                          "within %.2f degrees\n",
                          refine, kinds[k], (long long)mesh.triangle_count, 100 * error, worst / h,
                          acos(facing) * 180 / pi);
            assert_below(fabs(error), 0.005);
            /* and vertices keep a hundredth of the edge away from its ends */
            double missed = edge_square[k] * h * h / (8 * ball_radius) + 0.01 * sqrt(edge_square[k]) * h;
            assert_below(worst, missed);
            assert_below(acos(facing) * 180 / pi, 2);
            assert_below(drift, 1e-5);
            fr_mesh_destroy(&mesh);
        }
        level_free(&l);
    }
}

static double torus(const double at[3])
{
    return hypot(hypot(at[0] - 0.5, at[2] - 0.5) - 0.3, at[1] - 0.5) - 0.11;
}

static void test_torus(void **state)
{
    (void)state;
    levels l;
    level_make(&l, (int[3]){48, 48, 48}, 1, torus);
    for (int k = 0; k < 4; k++) {
        fr_mesh mesh = mesh_of(&l, kinds[k]);
        double pi = acos(-1);
        assert_near(extent_of(&mesh).volume / (2 * pi * pi * 0.3 * 0.11 * 0.11), 1, 0.01);
        /* one closed surface with one hole */
        assert_int_equal(mesh.vertex_count - mesh.triangle_count / 2, 0);
        fr_mesh_destroy(&mesh);
    }
    level_free(&l);
}

static double pool_top = 0.3;

static double pool(const double at[3])
{
    return at[1] - pool_top;
}

/* Water up to a height, between all walls: a box with sharp edges, exact to rounding errors. */
static void test_pool(void **state)
{
    (void)state;
    levels l;
    for (int top = 0; top < 3; top++) {
        /* also where the surface goes through centres of cells, and through their faces */
        pool_top = (const double[3]){0.3, 4.5 / 16, 5.0 / 16}[top];
        level_make(&l, (int[3]){16, 12, 14}, 1, pool);
        for (int k = 0; k < 4; k++) {
            fr_mesh mesh = mesh_of(&l, kinds[k]);
            double most[3] = {0, 0, 0}, error = extent_of(&mesh).volume / (pool_top * 14 / 16) - 1;
            for (int64_t v = 0; v < mesh.vertex_count; v++)
                for (int a = 0; a < 3; a++)
                    most[a] = fmax(most[a], mesh.vertices[v][a]);
            print_message("pool of %.4f m, %d tetrahedra: volume %+.3f %%, height %+.4f h\n", pool_top, kinds[k],
                          100 * error, 16 * (most[1] - pool_top));
            assert_true(most[0] == 1 && most[2] == 0.875);
            assert_near(most[1], pool_top, 0.011 / 16);
            assert_below(fabs(error), 0.003);
            fr_mesh_destroy(&mesh);
        }
        level_free(&l);
    }
}

static double waves(const double at[3])
{
    return (at[1] - 0.4 - 0.08 * sin(9 * at[0]) * cos(7 * at[2])) * 0.8;
}

static double everywhere(const double at[3])
{
    (void)at;
    return -1;
}
static double nowhere(const double at[3])
{
    (void)at;
    return 1;
}
static double at_centres(const double at[3])
{
    return at[0] + at[1] + at[2] - 1.5;
}

/* Drops of about a cell thrown about, some of them at the walls. */
static double blobs(const double at[3])
{
    double nearest = 1;
    for (uint64_t n = 0; n < 60; n++) {
        double square = 0;
        for (uint64_t a = 0; a < 3; a++)
            square += pow(at[a] - 0.5 - 0.55 * check_noise(7 * n + a), 2);
        nearest = fmin(nearest, sqrt(square) - 0.06 - 0.05 * check_noise(7 * n + 5));
    }
    return nearest;
}

/* The sign of every cell by itself: the worst that a surface can be. */
static double foam(const double at[3])
{
    return check_noise((uint64_t)(at[0] * 20) + 100 * (uint64_t)(at[1] * 20) + 10000 * (uint64_t)(at[2] * 20));
}

static void test_all_closed(void **state)
{
    (void)state;
    const struct {
        level_shape shape;
        double volume;
    } cases[] = {{waves, -1}, {everywhere, 1}, {nowhere, 0}, {at_centres, 0.5}, {blobs, -1}, {foam, -1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int k = 0; k < 8; k++) {
            levels l;
            level_make(&l, (int[3]){20, 20, 20}, 1 + k / 4, cases[c].shape);
            l.frame.periodic[0] = k % 2; /* closed at those sides as well */
            fr_mesh mesh = mesh_of(&l, kinds[k % 4]);
            double volume = extent_of(&mesh).volume;
            assert_true(volume >= 0);
            if (cases[c].volume >= 0)
                assert_near(volume, cases[c].volume, 1e-3);
            for (int64_t v = 0; v < mesh.vertex_count; v++)
                for (int a = 0; a < 3; a++)
                    assert_true(mesh.vertices[v][a] >= 0 && mesh.vertices[v][a] <= 1);
            fr_mesh_destroy(&mesh);
            level_free(&l);
        }
}

/* Single cells of liquid, anywhere: at corners, edges, faces, inside; and grids of a cell or two. */
static void test_single_cells(void **state)
{
    (void)state;
    for (int n = 2; n <= 5; n++)
        for (int cell = 0; cell < n * n * n; cell++)
            for (int air = 0; air < 2; air++) {
                levels l;
                level_make(&l, (int[3]){n, n, n}, 1, air ? everywhere : nowhere);
                l.data[0][cell] = (float)((air ? 0.4 : -0.4) / n);
                for (int k = 0; k < 2; k++) {
                    fr_mesh mesh = mesh_of(&l, kinds[k]);
                    double volume = extent_of(&mesh).volume;
                    assert_true(mesh.triangle_count > 0 && volume > 0 && volume < 1);
                    fr_mesh_destroy(&mesh);
                }
                level_free(&l);
            }
}

/* Numbers that are none count as air. */
static void test_not_numbers(void **state)
{
    (void)state;
    levels l;
    level_make(&l, (int[3]){16, 16, 16}, 1, ball);
    for (int i = 0; i < 16 * 16 * 16; i += 37)
        l.data[0][i] = i % 2 ? NAN : -INFINITY;
    for (int k = 0; k < 4; k++) {
        fr_mesh mesh = mesh_of(&l, kinds[k]);
        for (int64_t v = 0; v < mesh.vertex_count; v++)
            assert_true(isfinite(mesh.vertices[v][0] + mesh.normals[v][0]));
        fr_mesh_destroy(&mesh);
    }
    level_free(&l);
}

/* Cells that are no cubes, and a field with gaps between its rows. */
static void test_flat_cells(void **state)
{
    (void)state;
    levels l;
    level_make(&l, (int[3]){32, 16, 24}, 1, nowhere);
    l.frame.spacing[1] = 1.0 / 16;
    l.frame.spacing[2] = 1.0 / 24;
    for (int f = 0; f < 4; f++)
        level_fill(&l, f, (const level_shape[4]){ball, level_turn_x, level_turn_y, level_turn_z}[f], 1e9);
    for (int k = 0; k < 4; k++) {
        fr_mesh mesh = mesh_of(&l, kinds[k]);
        assert_near(extent_of(&mesh).volume / (4 * acos(-1) / 3 * pow(ball_radius, 3)), 1, 0.02);
        fr_mesh_destroy(&mesh);
    }
    level_free(&l);
}

/* A ball of stone half in the water: the mesh ends a little inside it, all around. */
static double stone(const double at[3])
{
    return sqrt(pow(at[0] - 0.5, 2) + pow(at[1] - 0.35, 2) + pow(at[2] - 0.5, 2)) - 0.2;
}

static void test_obstacle(void **state)
{
    (void)state;
    for (int refine = 1; refine <= 2; refine++)
        for (int garbage = -1; garbage <= 1; garbage++) {
            levels l;
            pool_top = 0.4;
            level_make(&l, (int[3]){32, 32, 32}, refine, pool);
            level_add_solid(&l, stone);
            /* whatever the method leaves in cells of obstacles makes no difference */
            int n = 32 * refine;
            for (int i = 0; garbage && i < n * n * n; i++) {
                const double at[3] = {(i % n + 0.5) / n, (i / n % n + 0.5) / n, (i / n / n + 0.5) / n};
                if (stone(at) < 0)
                    l.data[0][i] = (float)garbage * 3 / (float)n;
            }
            for (int k = 0; k < 4; k++) {
                fr_mesh mesh = mesh_of(&l, kinds[k]);
                double h = 1.0 / 32, deepest = 0, shallowest = 1;
                for (int64_t v = 0; v < mesh.vertex_count; v++) {
                    const double at[3] = {mesh.vertices[v][0], mesh.vertices[v][1], mesh.vertices[v][2]};
                    double d = stone(at);
                    /* at the water's edge the crease may reach a little deeper, and above it there is nothing */
                    assert_true(d > -0.6 * h && at[1] < pool_top + h);
                    /* under the surface and away from the walls every vertex is the stone's */
                    if (at[1] > 0.01 && at[1] < pool_top - 1.5 * h && d < 0.1) {
                        shallowest = fmin(shallowest, -d);
                        deepest = fmin(deepest, d);
                    }
                }
                double inside = acos(-1) / 3 * (pow(0.2, 3) * 2 + 3 * 0.2 * 0.2 * 0.05 - pow(0.05, 3));
                print_message("stone, refine %d, %d tetrahedra: %.2f h to %.2f h inside, volume %+.2f %%\n", refine,
                              kinds[k], shallowest / h, -deepest / h,
                              100 * (extent_of(&mesh).volume / (pool_top - inside) - 1));
                /* a quarter of a cell, but edges are straight and the stone's distance is linear between cells */
                assert_true(shallowest > 0.1 * h && -deepest < 0.4 * h);
                fr_mesh_destroy(&mesh);
            }
            level_free(&l);
        }
}

/* Particles of a particle level set that are on the wrong side. */
enum { SPHERES = 300 };

typedef struct escaped {
    float at[SPHERES][3], radius[SPHERES];
    fr_attribute attribute;
} escaped;

static void escape(levels *l, escaped *e, int count)
{
    e->attribute = (fr_attribute){"radius", "m", e->radius};
    l->frame.can |= FR_FRAME_LEVEL_PARTICLES;
    l->frame.particle_count = count;
    l->frame.particles = l->frame.particle_velocity = (fr_vectors){&e->at[0][0], 3};
    l->frame.attributes = &e->attribute;
    l->frame.attribute_count = 1;
}

static double barely_air(const double at[3])
{
    (void)at;
    return 0.6 / 20;
}
static double barely_liquid(const double at[3])
{
    (void)at;
    return -0.6 / 20;
}

/* A drop between the cells' centres that no cell knows of appears where vertices are added, in its place and no larger
   than it is. */
static void test_lost_drop(void **state)
{
    (void)state;
    const double h = 1.0 / 20, radius = 0.45 * h;
    levels l;
    escaped e;
    for (int side = -1; side <= 1; side += 2) {
        level_make(&l, (int[3]){20, 20, 20}, 1, side < 0 ? barely_air : barely_liquid);
        for (int a = 0; a < 3; a++)
            e.at[0][a] = (float)(10 * h);
        e.radius[0] = (float)(side * radius);
        for (int k = 0; k < 4; k++) {
            l.frame.can = FR_FRAME_SURFACE;
            fr_mesh without = mesh_of(&l, kinds[k]);
            escape(&l, &e, 1);
            fr_mesh mesh = mesh_of(&l, kinds[k]);
            double drop = fabs(extent_of(&mesh).volume - extent_of(&without).volume);
            print_message("%s, %d tetrahedra: %.2f of its volume\n", side < 0 ? "drop" : "bubble", kinds[k],
                          drop / (4 * acos(-1) / 3 * pow(radius, 3)));
            /* with six tetrahedra a cell there are no vertices but those of the cells' centres */
            assert_true(kinds[k] == 6 ? drop == 0 : drop > 0.1 * pow(radius, 3));
            assert_below(drop, 4 * acos(-1) / 3 * pow(radius, 3));
            for (int64_t v = 0; side < 0 && v < mesh.vertex_count; v++)
                for (int a = 0; a < 3; a++)
                    assert_near(mesh.vertices[v][a], 10 * h, 1.01 * radius);
            fr_mesh_destroy(&without);
            fr_mesh_destroy(&mesh);
        }
        level_free(&l);
    }
}

/* Spheres of both kinds thrown about, at sides and edges as well: the mesh stays closed, and the same on threads. */
static void test_escaped(void **state)
{
    (void)state;
    levels l;
    escaped e;
    for (uint64_t n = 0; n < SPHERES; n++) {
        for (uint64_t a = 0; a < 3; a++)
            e.at[n][a] = (float)fmin(fmax(0.5 + 0.55 * check_noise(11 * n + a), 0), 1);
        e.radius[n] = (float)(0.5 / 20 * check_noise(11 * n + 7));
    }
    for (int n = 20; n <= 23; n++) { /* the last block of the lattice is full, or not */
        level_make(&l, (int[3]){n, n, n}, 1, blobs);
        escape(&l, &e, SPHERES);
        for (int k = 0; k < 4; k++) {
            uint64_t hash[2];
            for (int threads = 1; threads <= 2; threads++) {
                fr_set_threads(threads);
                fr_mesh mesh = mesh_of(&l, kinds[k]);
                hash[threads - 1] = hash_of_mesh(&mesh);
                fr_mesh_destroy(&mesh);
            }
            assert_true(hash[0] == hash[1]);
        }
        fr_set_threads(1);
        level_free(&l);
    }
}

/* Liquid whose surface runs along a wall at a slope that is not quite one, as a front leaves it there: no air. */
static double film(const double at[3])
{
    return fmax(at[1] - 0.7, 0.9 * (0.46 / 16 - at[0]));
}

static void test_film(void **state)
{
    (void)state;
    levels l;
    level_make(&l, (int[3]){16, 16, 16}, 1, film);
    for (int k = 0; k < 4; k++) {
        fr_mesh mesh = mesh_of(&l, kinds[k]);
        double least = 1;
        for (int64_t v = 0; v < mesh.vertex_count; v++)
            least = mesh.vertices[v][1] < 0.5f ? fmin(least, mesh.vertices[v][0]) : least;
        assert_near(extent_of(&mesh).volume, 0.7, 0.01);
        assert_true(least == 0);
        fr_mesh_destroy(&mesh);
    }
    level_free(&l);
}

static void test_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        levels l;
        level_make(&l, (int[3]){40, 40, 40}, 1, waves);
        level_add_solid(&l, stone);
        uint64_t first = 0;
        for (int threads = 1; threads <= 3; threads++) {
            fr_set_threads(threads);
            fr_mesh mesh = mesh_of(&l, kinds[k]);
            uint64_t hash = hash_of_mesh(&mesh);
            first = threads == 1 ? hash : first;
            assert_true(hash == first);
            fr_mesh_destroy(&mesh);
        }
        fr_set_threads(1);
        level_free(&l);
    }
}

/* In 2D: the distance to a circle and the speed, and liquid up to the walls. */
static double circle(const double at[3])
{
    return hypot(at[0] - 0.5, at[1] - 0.45) - 0.3;
}

static void test_plane(void **state)
{
    (void)state;
    enum { N = 200 };
    static float distance[N * N], speed[N * N];
    for (int refine = 1; refine <= 2; refine++) {
        levels l;
        level_make(&l, (int[3]){20, 20, 1}, refine, circle);
        const fr_lattice lattice = {
            .origin = {0.5 / N, 0.5 / N, 0}, .step = {{1.0 / N, 0, 0}, {0, 1.0 / N, 0}}, .n = {N, N}};
        assert_ok(fr_surface_sample(&l.frame, &lattice, distance, speed));
        double worst = 0;
        int wet = 0;
        for (int i = 0; i < N * N; i++) {
            const double at[3] = {(i % N + 0.5) / N, (i / N + 0.5) / N, 0};
            worst = fabs(circle(at)) < 0.05 ? fmax(worst, fabs(distance[i] - circle(at))) : worst;
            wet += distance[i] < 0;
            assert_near(speed[i], 0.5, 1e-6);
        }
        print_message("circle, refine %d: distance within %.4f h, area %+.3f %%\n", refine, 20 * worst,
                      100 * (wet / (acos(-1) * 0.09 * N * N) - 1));
        assert_below(worst, 0.02 / 20);
        assert_near(wet / (acos(-1) * 0.09 * N * N), 1, 0.01);
        level_free(&l);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    levels l;
    fr_mesh mesh;
    fr_surface_options options = fr_default_surface();
    level_make(&l, (int[3]){8, 8, 8}, 1, ball);
    options.tetrahedra = 12;
    assert_int_equal(fr_surface_mesh(&l.frame, &options, &mesh), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "6, 24, 48 or 192"));
    options = fr_default_surface();
    options.overlap = 2;
    assert_int_equal(fr_surface_mesh(&l.frame, &options, &mesh), FR_ERROR_INPUT);
    l.fields[0].name = "density";
    assert_int_equal(fr_surface_mesh(&l.frame, NULL, &mesh), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "no level set"));
    level_free(&l);
}

/* Balls of liquid at places by chance, above and inside an obstacle that ends at the sides of the domain. */
static double chance[8][4];

static double balls(const double at[3])
{
    double nearest = 1e9;
    for (int b = 0; b < 8; b++)
        nearest = fmin(
            nearest, sqrt(pow(at[0] - chance[b][0], 2) + pow(at[1] - chance[b][1], 2) + pow(at[2] - chance[b][2], 2)) -
                         chance[b][3]);
    return nearest;
}

static double slab(const double at[3])
{
    double x = fmax(-at[0], at[0] - 0.6), y = fmax(-at[1], at[1] - 0.5), z = fmax(-at[2], at[2] - 1);
    return fmax(x, fmax(y, z));
}

/* Liquid that goes on into an obstacle, and along it to the sides of the domain: every corner is a vertex. */
static void test_obstacle_at_sides(void **state)
{
    (void)state;
    for (int n = 0; n < 6; n++) {
        levels l;
        for (int b = 0; b < 8; b++)
            for (int a = 0; a < 4; a++)
                chance[b][a] = (a < 3 ? 0.5 : 0.1) * (1 + check_noise((uint64_t)(100 * n + 4 * b + a)));
        level_make(&l, (int[3]){24, 24, 24}, 1, balls);
        level_add_solid(&l, slab);
        for (int k = 0; k < 2; k++) {
            fr_surface_options options = fr_default_surface();
            fr_mesh mesh;
            options.tetrahedra = kinds[k];
            assert_ok(fr_surface_mesh(&l.frame, &options, &mesh));
            for (int64_t c = 0; c < 3 * mesh.triangle_count; c++)
                assert_in_range(mesh.triangles[c / 3][c % 3], 0, mesh.vertex_count - 1);
            assert_closed(&mesh);
            fr_mesh_destroy(&mesh);
        }
        level_free(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_obstacle_at_sides),
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_torus),
        cmocka_unit_test(test_pool),
        cmocka_unit_test(test_all_closed),
        cmocka_unit_test(test_single_cells),
        cmocka_unit_test(test_not_numbers),
        cmocka_unit_test(test_flat_cells),
        cmocka_unit_test(test_obstacle),
        cmocka_unit_test(test_lost_drop),
        cmocka_unit_test(test_escaped),
        cmocka_unit_test(test_film),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
