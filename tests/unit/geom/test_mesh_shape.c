/* Meshes as shapes: distance, sign with holes and overlaps, files that are not meshes. */
#include "mesh_samples.h"

#include "base/clock.h"
#include "geom/mesh_store.h"

static const char bunny[] = SOURCE_DIR "/../shared/data/bunny.obj";

static void test_box_mesh(void **state)
{
    (void)state;
    temp_file t = box_file(-1);
    fr_shape_def box = sample_box(0.5, 0.25, 1);
    shape *m = mesh_shape(t.path, 0, 3), *b = sample_shape(&box, 3);
    enum { N = 90 };
    float mesh_row[N], box_row[N];
    for (int k = 0; k < 60; k++) {
        double start[3] = {-0.9, -0.6 + 0.0203 * k, 1.3 - 0.0437 * k};
        assert_int_equal(shape_distance_row(m, start, 0.0201, N, mesh_row), FR_OK);
        assert_int_equal(shape_distance_row(b, start, 0.0201, N, box_row), FR_OK);
        for (int i = 0; i < N; i++)
            assert_near(mesh_row[i], box_row[i], 1e-6);
    }
    assert_true(shape_is_parallel(m));
    shape_destroy(m);
    shape_destroy(b);
    unlink(t.path);
}

/* Fitted to a size it is centred; without a size it stays where the file has it. */
static void test_size(void **state)
{
    (void)state;
    temp_file t = temp_open(".obj");
    write_box(t.file, (double[3]){10, 10, 10}, (double[3]){11, 12, 14}, 0, -1);
    fclose(t.file);
    double min[3], max[3];
    shape *s = mesh_shape(t.path, 0, 3);
    shape_bounds(s, min, max);
    assert_true(min[0] == 10 && max[2] == 14);
    shape_destroy(s);
    s = mesh_shape(t.path, 2, 3);
    shape_bounds(s, min, max);
    assert_true(min[2] == -1 && max[2] == 1 && min[0] == -0.25 && max[1] == 0.5);
    assert_near(sample_at(s, 0, 0, 0), -0.25, 1e-12);
    shape_destroy(s);
    s = mesh_shape(t.path, 2, 2); /* the slice at z = 0 */
    assert_near(sample_at(s, 1.25, 0, 7), 1, 1e-12);
    shape_destroy(s);
    unlink(t.path);
}

/* One of twelve triangles is missing: only near the hole may the sign differ. */
static void test_hole(void **state)
{
    (void)state;
    for (int skip = 0; skip < 12; skip++) {
        temp_file t = box_file(skip);
        fr_shape_def box = sample_box(0.5, 0.25, 1);
        shape *m = mesh_shape(t.path, 0, 3), *b = sample_shape(&box, 3);
        uint64_t seed = 55;
        int inside = 0, wrong = 0;
        for (int i = 0; i < 2000; i++) {
            vec3 p = sample_point(&seed, 1.1);
            bool in_box = sample_at(b, p.x, p.y, p.z) < 0, in_mesh = sample_at(m, p.x, p.y, p.z) < 0;
            inside += in_box;
            wrong += in_box != in_mesh;
            assert_true(in_box || !in_mesh);
        }
        assert_true(inside > 100 && wrong < 0.25 * inside);
        assert_true(sample_at(m, 0, 0, 0) < 0);
        shape_destroy(m);
        shape_destroy(b);
        unlink(t.path);
    }
}

/* Two boxes that overlap make one solid; the distance there is to the nearest face, inner ones too. */
static void test_overlap(void **state)
{
    (void)state;
    temp_file t = temp_open(".obj");
    write_box(t.file, (double[3]){-1, -0.5, -0.5}, (double[3]){0.2, 0.5, 0.5}, 0, -1);
    write_box(t.file, (double[3]){-0.2, -0.4, -0.4}, (double[3]){1, 0.4, 0.4}, 8, -1);
    fclose(t.file);
    shape *m = mesh_shape(t.path, 0, 3);
    uint64_t seed = 56;
    for (int i = 0; i < 2000; i++) {
        vec3 p = sample_point(&seed, 1.1);
        bool left = p.x > -1 && p.x < 0.2 && fabs(p.y) < 0.5 && fabs(p.z) < 0.5;
        bool right = p.x > -0.2 && p.x < 1 && fabs(p.y) < 0.4 && fabs(p.z) < 0.4;
        assert_int_equal(sample_at(m, p.x, p.y, p.z) < 0, left || right);
    }
    shape_destroy(m);
    unlink(t.path);
}

/* Faces that all look inwards are the same solid. */
static void test_turned_inside_out(void **state)
{
    (void)state;
    temp_file t = temp_open(".obj");
    write_box(t.file, (double[3]){1, -1, -1}, (double[3]){-1, 1, 1}, 0, -1);
    fclose(t.file);
    shape *m = mesh_shape(t.path, 0, 3);
    assert_near(sample_at(m, 0, 0, 0.4), -0.6, 1e-12);
    assert_near(sample_at(m, 0, 0, 1.4), 0.4, 1e-12);
    shape_destroy(m);
    unlink(t.path);
}

static void test_inspect(void **state)
{
    (void)state;
    fr_mesh_report report;
    temp_file t = box_file(-1);
    assert_int_equal(fr_mesh_inspect(t.path, &report), FR_OK);
    assert_int_equal(report.vertices, 8);
    assert_int_equal(report.triangles, 12);
    assert_int_equal(report.open_edges, 0);
    assert_int_equal(report.odd_edges, 0);
    assert_true(report.min[2] == -1 && report.max[1] == 0.25);
    unlink(t.path);
    t = box_file(5);
    assert_int_equal(fr_mesh_inspect(t.path, &report), FR_OK);
    assert_int_equal(report.open_edges, 3);
    unlink(t.path);
    t = temp_open(".obj"); /* three fins on one edge */
    fprintf(t.file, "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 1\nv -1 0 -1\nf 1 2 3\nf 1 2 4\nf 1 2 5\n");
    fclose(t.file);
    assert_int_equal(fr_mesh_inspect(t.path, &report), FR_OK);
    assert_int_equal(report.odd_edges, 1);
    assert_int_equal(report.open_edges, 6);
    unlink(t.path);
}

static void test_meshes_are_shared(void **state)
{
    (void)state;
    temp_file t = box_file(-1);
    const bvh *first, *second, *fitted;
    fr_mesh_report report;
    assert_int_equal(mesh_store_take(t.path, 0, &first), FR_OK);
    assert_int_equal(mesh_store_take(t.path, 0, &second), FR_OK);
    assert_ptr_equal(first, second);
    assert_int_equal(mesh_store_take(t.path, 3, &fitted), FR_OK);
    assert_ptr_not_equal(first, fitted);
    mesh_store_give_back(fitted);
    mesh_store_give_back(second);
    assert_true(mesh_store_report(t.path, &report));   /* the first still uses it */
    assert_int_equal(report.triangles, 12);
    mesh_store_trim();
    assert_true(mesh_store_report(t.path, &report));
    mesh_store_give_back(first);
    assert_false(mesh_store_report(t.path, &report));
    unlink(t.path);
}

static void test_meshes_are_kept(void **state)
{
    (void)state;
    temp_file t = box_file(-1);
    fr_mesh_report report;
    fr_meshes_keep();
    fr_meshes_keep();
    shape_destroy(mesh_shape(t.path, 0, 3));
    fr_meshes_release();
    assert_true(mesh_store_report(t.path, &report));
    mesh_store_trim();
    assert_false(mesh_store_report(t.path, &report));
    shape_destroy(mesh_shape(t.path, 0, 3));
    assert_true(mesh_store_report(t.path, &report));
    fr_meshes_release();
    assert_false(mesh_store_report(t.path, &report));
    unlink(t.path);
}

/* A file that has been written to is another mesh, though somebody uses the old one. */
static void test_changed_files_are_read_again(void **state)
{
    (void)state;
    temp_file t = temp_open(".obj");
    write_box(t.file, (double[3]){-1, -1, -1}, (double[3]){1, 1, 1}, 0, -1);
    fclose(t.file);
    shape *small = mesh_shape(t.path, 0, 3);
    t.file = fopen(t.path, "w");
    write_box(t.file, (double[3]){-20, -20, -20}, (double[3]){20, 20, 20}, 0, -1);
    fclose(t.file);
    shape *large = mesh_shape(t.path, 0, 3);
    assert_near(sample_at(small, 0, 0, 0), -1, 1e-12);
    assert_near(sample_at(large, 0, 0, 0), -20, 1e-12);
    shape_destroy(small);
    shape_destroy(large);
    unlink(t.path);
}

/* STL shares no vertices in the file. */
static void test_stl(void **state)
{
    (void)state;
    const double p[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    temp_file t = temp_open(".stl");
    fprintf(t.file, "solid t\n");
    for (int i = 0; i < 4; i++) {
        fprintf(t.file, "facet normal 0 0 0\nouter loop\n");
        for (int k = 0; k < 3; k++)
            fprintf(t.file, "vertex %g %g %g\n", p[faces[i][k]][0], p[faces[i][k]][1], p[faces[i][k]][2]);
        fprintf(t.file, "endloop\nendfacet\n");
    }
    fprintf(t.file, "endsolid t\n");
    fclose(t.file);
    fr_mesh_report report;
    assert_int_equal(fr_mesh_inspect(t.path, &report), FR_OK);
    assert_int_equal(report.vertices, 4);
    assert_int_equal(report.open_edges, 0);
    shape *m = mesh_shape(t.path, 0, 3);
    assert_near(sample_at(m, 0.2, 0.2, 0.1), -0.1, 1e-9);
    shape_destroy(m);
    unlink(t.path);
}

static void refused(const char *path, const char *word)
{
    fr_shape_def def = fr_default_shape(FR_SHAPE_MESH);
    fr_mesh_report report;
    shape *s;
    def.file = path;
    assert_int_equal(shape_create(&(fr_placed_shape){.shape = &def}, 3, "fill[1]", &s), FR_ERROR_INPUT);
    assert_string_equal(fr_error_key(), "fill[1]");
    if (!strstr(fr_error_message(), word))
        print_message("'%s' lacks '%s'\n", fr_error_message(), word);
    assert_non_null(strstr(fr_error_message(), word));
    fr_result result = fr_mesh_inspect(path, &report);
    assert_true(result == FR_ERROR_FILE || (result == FR_OK && report.triangles > 0));
}

static void refused_text(const char *ending, const char *text, const char *word)
{
    temp_file t = temp_open(ending);
    fputs(text, t.file);
    fclose(t.file);
    refused(t.path, word);
    unlink(t.path);
}

/* A binary PLY that is cut short, which the importer does not survive. */
#define PLY_HEADER                                                                                                     \
    "ply\nformat binary_little_endian 1.0\nelement vertex 100\nproperty float x\nproperty float y\nproperty float z\n" \
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n"

static void test_bad_files(void **state)
{
    (void)state;
    refused("/nowhere/at/all.obj", "cannot be opened");
    refused("/tmp", "folder");
    refused("/dev/null", "a device, not a regular file");
    refused_text(".obj", "", "empty");
    refused_text(".txt", "a letter to nobody\n", "cannot read");
    refused_text(".obj", "a letter to nobody\n", "");
    refused_text(".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n", "");
    refused_text(".obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "area");
    refused_text(".obj", "v 0 0 0\nv 1 0 0\nv nan 1 0\nf 1 2 3\n", "");
    refused_text(".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "");
    refused_text(".ply", "ply\nformat ascii 1.0\nelement vertex 3\n", "no end");
    refused_text(".ply", "ply\nformat ascii 1.0\nelement vertex 1000000000\nend_header\n", "declares");
    refused_text(".ply", "ply\nformat ascii 1.0\nend_header\xa8 0 0\n",
                 "no end"); /* the importer would look for it for ever */
    refused_text(".ply", "PLY\nformat ascii 1.0\nelement vertex 1000000000\nend_header\n", "declares");
    refused_text(".ply", PLY_HEADER "only a few bytes", "");
    refused_text(".stl", "solid t\nfacet normal 0 0\n", "");
}

/* A triangle without area among good ones does no harm. */
static void test_degenerate_triangle(void **state)
{
    (void)state;
    temp_file t = temp_open(".obj");
    write_box(t.file, (double[3]){-1, -1, -1}, (double[3]){1, 1, 1}, 0, -1);
    fprintf(t.file, "f 1 1 2\nv 0 0 0\nv 0.1 0 0\nv 0.2 0 0\nf 9 10 11\n");
    fclose(t.file);
    shape *m = mesh_shape(t.path, 0, 3);
    assert_near(sample_at(m, 0, 0, 0.3), -0.7, 1e-12);
    shape_destroy(m);
    unlink(t.path);
}

/* As often as parts may overlap, and once more, whichever way round they are. */
static void test_repeated_triangles(void **state)
{
    (void)state;
    temp_file t = temp_open(".obj");
    write_box(t.file, (double[3]){-1, -1, -1}, (double[3]){1, 1, 1}, 0, -1);
    fprintf(t.file, "v 3 0 0\nv 4 0 0\nv 3 1 0\n");
    for (int i = 0; i < 16; i++)   /* as often one way as the other: they wind around nothing */
        fputs("f 9 10 11\nf 11 10 9\nf 10 11 9\nf 10 9 11\n", t.file);
    fflush(t.file);
    shape *m = mesh_shape(t.path, 0, 3);
    assert_near(sample_at(m, 3.2, 0.2, 0.3), 0.3, 1e-12);
    shape_destroy(m);
    fputs("f 10 9 11\n", t.file);
    fclose(t.file);
    refused(t.path, "has the same triangle 65 times");
    unlink(t.path);
}

static double brute_triangle(const bvh_triangle *t, vec3 p)
{
    double best = INFINITY;
    enum { N = 24 };
    for (int i = 0; i <= N; i++)
        for (int k = 0; k <= N - i; k++) {
            vec3 q = vec3_add(t->a, vec3_add(vec3_scale(t->ab, (double)i / N), vec3_scale(t->ac, (double)k / N)));
            best = fmin(best, vec3_length(vec3_sub(p, q)));
        }
    return best;
}

/* In the packet's first place; the others wander off. */
static double tree_distance(const bvh *b, vec3 p, int hint)
{
    bvh_packet packet;
    for (int i = 0; i < BVH_PACKET; i++) {
        packet.x[i] = p.x + 0.1 * i;
        packet.y[i] = p.y;
        packet.z[i] = p.z - 0.02 * i;
    }
    bvh_distance(b, &packet, &hint);
    return sqrt(packet.distance2[0]);
}

static bvh *load_bunny(void)
{
    mesh m;
    bvh *b = NULL;
    if (access(bunny, R_OK) != 0) {
        print_message("skipped: %s is not there\n", bunny);
        skip();
    }
    assert_int_equal(mesh_load(bunny, &m), FR_OK);
    mesh_fit(&m, 1);
    assert_int_equal(bvh_create(&m, false, &b), FR_OK);
    mesh_free(&m);
    return b;
}

/* The nearest triangle of the hierarchy against all triangles; the dipoles against all solid angles. */
static void test_bunny_against_brute_force(void **state)
{
    (void)state;
    bvh *b = load_bunny();
    uint64_t seed = 91;
    double worst = 0;
    for (int i = 0; i < 40; i++) {
        vec3 p = sample_point(&seed, 0.6);
        double d = tree_distance(b, p, (int)(sample_random(&seed) * b->triangle_count));
        double brute = INFINITY, exact = INFINITY;
        for (int k = 0; k < b->triangle_count; k++) {
            bvh_node leaf = {.bounds = box_endless(), .first = 0, .count = 1};
            bvh single = {.nodes = &leaf, .triangles = &b->triangles[k], .node_count = 1, .triangle_count = 1};
            double one = tree_distance(&single, p, 0);
            exact = fmin(exact, one);
            if (one < d + 0.02)
                brute = fmin(brute, brute_triangle(&b->triangles[k], p));
        }
        assert_near(d, exact, 1e-14);
        assert_true(d <= brute + 1e-12 && brute < d + 2e-3);
        bvh_node all = {.first = 0, .count = b->triangle_count, .radius = INFINITY};
        bvh flat = {.nodes = &all, .triangles = b->triangles, .node_count = 1, .triangle_count = b->triangle_count};
        worst = fmax(worst, fabs(bvh_winding(b, p) - bvh_winding(&flat, p)));
    }
    print_message("winding number by dipoles: off by at most %.4f\n", worst);
    assert_true(worst < 0.05);
    bvh_destroy(b);
}

static void test_bunny_shape(void **state)
{
    (void)state;
    enum { N = 64 };
    static float d[N * N * N];
    bvh_destroy(load_bunny());
    double began = clock_now();
    shape *s = mesh_shape(bunny, 1, 3);
    double loaded = clock_now(), h = 1.2 / N;
    int inside = 0;
    for (int k = 0; k < N * N; k++) {
        double start[3] = {-0.6 + 0.5 * h, -0.6 + (k % N + 0.5) * h, -0.6 + (k / N + 0.5) * h};
        assert_int_equal(shape_distance_row(s, start, h, N, d + k * N), FR_OK);
    }
    double filled = clock_now();
    print_message("bunny: read in %.3f s, 64^3 distances in %.3f s on one thread\n", loaded - began, filled - loaded);
    for (int i = 0; i < N * N * N; i++) {
        inside += d[i] < 0;
        if (i % N) /* no jump: the sign changes only where the distance is small */
            assert_true(fabsf(d[i] - d[i - 1]) <= 1.001 * h || (fabsf(d[i]) < 2 * h && fabsf(d[i - 1]) < 2 * h));
    }
    /* The solid fills about a fifth of its box. */
    double volume = inside * h * h * h;
    print_message("bunny: volume %.4f of a unit cube\n", volume);
    assert_true(volume > 0.1 && volume < 0.4);
    assert_true(sample_at(s, 0, -0.2, 0) < 0);
    assert_true(sample_at(s, 0.45, 0.45, 0.35) > 0);
    shape_destroy(s);
}

int main(void)
{
    fr_mesh_report report;
    if (fr_mesh_inspect("", &report) == FR_ERROR_UNSUPPORTED) {
        print_message("skipped: %s\n", fr_error_message());
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_mesh),    cmocka_unit_test(test_size),
        cmocka_unit_test(test_hole),        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_turned_inside_out), cmocka_unit_test(test_inspect),
        cmocka_unit_test(test_meshes_are_shared), cmocka_unit_test(test_meshes_are_kept),
        cmocka_unit_test(test_changed_files_are_read_again),
        cmocka_unit_test(test_stl),         cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_degenerate_triangle), cmocka_unit_test(test_bunny_against_brute_force),
        cmocka_unit_test(test_bunny_shape), cmocka_unit_test(test_repeated_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
